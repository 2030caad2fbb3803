/**
 * Every shipped rule with all that it states except its conditions: `rules-table.txt`. The names are
 * part of reports, and the freedoms and the direction decide where a rule is used.
 */
import { orThrow } from '@baton/base';
import { type Rule, ruleSets } from '@baton/rewrites';
import { it } from 'vitest';
import { expectFile } from '../../../test/blessed.ts';

function lineOf(rule: Rule): string {
  const { name, text, orient, needs, refines, symmetric, phase } = rule;
  const { when, profitable, within, computed, operators } = rule;
  const conditions = Object.entries({ when, profitable, within }).flatMap(([word, { length }]) =>
    length === 0 ? [] : [`${word} ${length}`],
  );
  const holes = [...computed.keys(), ...operators.keys()].map((hole) => `?${hole}`);
  const marks = [
    orient,
    ...(phase === undefined ? [] : [`phase ${phase}`]),
    ...(needs.length > 0 ? [`needs ${needs.join(' ')}`] : []),
    ...(refines ? ['refines'] : []),
    ...(symmetric ? ['symmetric'] : []),
    ...conditions,
    ...(holes.length > 0 ? [`computes ${holes.join(' ')}`] : []),
  ];
  return `${name}\n  ${text}\n  ${marks.join('; ')}`;
}

it('rules state these names, sides, directions and freedoms', () => {
  const sets = ruleSets.map((set) => orThrow(set));
  const texts = sets.map(({ name, rules }) => `== ${name}\n${rules.map(lineOf).join('\n')}\n`);
  expectFile(new URL('rules-table.txt', import.meta.url), texts.join('\n'));
});
