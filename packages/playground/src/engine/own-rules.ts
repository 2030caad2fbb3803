/** Rules that a user types, one on a line: `name: left = right`, and after `;` the freedoms they need. */
import { diagnostic, fail, type Result } from '@baton/base';
import { type Rule, type RuleSet, rule, ruleSet } from '@baton/rewrites';

/** The rules of a text as a set. Empty lines and lines that begin with `#` are left out. */
export function ownRules(text: string): Result<RuleSet> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return ruleSet('own', ...lines.map(ruleOf));
}

/** Separates the sides: an equals sign with spaces around it, as attributes have none. */
const SIDES = /^(?:([^:]+):)?\s*(.+?)\s+(<=>|=>|=|==)\s+([^;]+?)\s*(?:;(.*))?$/;

function ruleOf(line: string, at: number): Result<Rule> {
  const [, name = `rule ${at + 1}`, left, arrow, right, needs = ''] = SIDES.exec(line) ?? [];
  if (left === undefined || right === undefined) {
    return fail(
      diagnostic('PLAYGROUND_RULE', `expected a rule, found ${line.slice(0, 80)}`, {
        hint: 'write name: multiply(?x, 1) = ?x',
      }),
    );
  }
  const words = needs
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rule(name.trim(), left, right as never, {
    needs: words as never,
    orient: arrow === '<=>' ? 'both' : 'canonical',
  });
}
