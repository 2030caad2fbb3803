/** Explains why a built-in rule, or one that the user types, is not used in a program. */
import { diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Rule } from '@baton/rewrites';
import * as rewrites from '@baton/rewrites';
import type { WhyNot } from '../protocol.ts';
import { ownRules } from './own-rules.ts';

const SHIPPED: ReadonlyMap<string, Rule> = new Map(
  rewrites.ruleSets.flatMap((set) =>
    isLeft(set) ? [] : set.right.rules.map((rule) => [rule.name, rule] as const),
  ),
);

export const ruleNames: ReadonlyArray<string> = [...SHIPPED.keys()].sort();

export function whyNot(m: IRModule, text: string): Result<WhyNot> {
  const rule = ruleOf(text.trim());
  if (isLeft(rule)) return rule;
  const found = rewrites.why(rule.right, m);
  if (isLeft(found)) return found;
  const { name, text: equation } = rule.right;
  return right({ name, equation, isUsed: found.right.isUsed, text: found.right.text });
}

function ruleOf(text: string): Result<Rule> {
  const shipped = SHIPPED.get(text);
  if (shipped !== undefined) return right(shipped);
  const set = ownRules(text);
  if (isLeft(set)) return set;
  const [rule] = set.right.rules;
  return rule === undefined
    ? fail(diagnostic('PLAYGROUND_RULE', 'expected a rule, found nothing'))
    : right(rule);
}
