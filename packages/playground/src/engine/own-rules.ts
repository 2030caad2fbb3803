/** Rules that a user types. */
import { diagnostic, fail, type Result } from '@baton/base';
import { type Rule, type RuleSet, rule, ruleSet } from '@baton/rewrites';
import { type RuleLine, ruleLines } from '../rule-lines.ts';

export function ownRules(text: string): Result<RuleSet> {
  const lines = ruleLines(text);
  return 'wrong' in lines
    ? noRule(lines.wrong, 'write name: multiply(?x, 1) = ?x')
    : ruleSet('own', ...lines.map(ruleOf));
}

export const noRule = (line: string, hint: string): Result<never> =>
  fail(diagnostic('PLAYGROUND_RULE', `expected a rule, found ${line}`, { hint }));

const ruleOf = ({ name, left, right, isBothWays, needs }: RuleLine): Result<Rule> =>
  rule(name, left, right as never, {
    needs: needs as never,
    orient: isBothWays ? 'both' : 'canonical',
  });
