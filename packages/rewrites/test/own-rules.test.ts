/** The rules that Baton has itself: their texts are read when they are first used. */
import { orThrow } from '@baton/base';
import { fusionColumn, operatorHole, standardOps, subpatterns } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { checkRules } from '../src/match/compile.ts';
import { ownRule, type Rule, rule, rulePhase, ruleSet, rulesOf } from '../src/rule/rule.ts';
import { ruleSets } from '../src/rules/every.ts';

const own = orThrow(rulesOf(ruleSets));

describe('rules of Baton itself', () => {
  it.each(own.map((one) => [one.name, one] as const))('%s is well written', (_, one) => {
    expect(one.equations.length).toBe(one.together);
    const { equations } = one;
    // As a rule of a user, whose right sides are checked, too.
    expect(checkRules([{ ...one, equations, named: undefined }], standardOps)._tag).toBe('Right');
  });

  it.each(own.map((one) => [one.name, one] as const))(
    '%s names all its operators but signs',
    (_, one) => {
      const called = one.equations.flatMap(({ left, right }) =>
        [left, right]
          .flatMap(subpatterns)
          .flatMap((p) => (p._tag === 'Call' && operatorHole(p) === undefined ? p.op : [])),
      );
      const isSign = (name: string) => standardOps.read(fusionColumn, name) === 'broadcast';
      const known = new Set([...(one.named?.lefts ?? []), ...(one.named?.rights ?? [])]);
      expect(called.filter((name) => !known.has(name) && !isSign(name))).toEqual([]);
    },
  );

  it('have not read their texts before they are used', () => {
    const reads = (one: Rule) => {
      const { get } = Object.getOwnPropertyDescriptor(one, 'equations') ?? {};
      return get !== undefined;
    };
    expect(own.filter((one) => !reads(one)).map(({ name }) => name)).toEqual([]);
    const wrong = ownRule('wrong', 'add(?x', '?x');
    const inPhase = rulePhase('late', ruleSet('a', wrong));
    expect([wrong._tag, inPhase._tag]).toEqual(['Right', 'Right']);
    const [late] = orThrow(rulesOf(inPhase));
    expect(late?.phase).toBe('late');
    expect(() => late?.equations).toThrow('rule wrong, left side');
  });

  it('are as a user would write them', () => {
    const parts = ['both', 'add(?x, ?y)', 'add(?y, ?x)', { orient: 'both' }] as const;
    const [mine, theirs] = [orThrow(ownRule(...parts)), orThrow(rule(...parts))];
    const strip = ({ place: _, named: __, ...others }: Rule) => others;
    expect(strip(mine)).toEqual(strip(theirs));
  });
});
