/** Every rule that ships. */
import { isRight, type Result } from '@baton/base';
import type { Rule, RuleSet } from '@baton/rewrites';
import * as rewrites from '@baton/rewrites';

/** The rules of all rule sets that `@baton/rewrites` exports, each once. */
export const SHIPPED_RULES: ReadonlyArray<Rule> = [
  ...new Set(
    Object.values(rewrites).flatMap((value: unknown) =>
      isRuleSet(value) ? value.right.rules : [],
    ),
  ),
];

function isRuleSet(value: unknown): value is Extract<Result<RuleSet>, { _tag: 'Right' }> {
  const made = value as Result<Partial<RuleSet>> | undefined;
  return typeof made === 'object' && isRight(made) && made.right._tag === 'RuleSet';
}
