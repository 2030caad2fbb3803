/** Idioms without an operator: a spelling becomes a kernel with a name. */
import type { Result } from '@baton/base';
import { type Rule, ownRule as rule } from '../rule/rule.ts';

/** The rule by which a spelling becomes the body of a kernel with this name; `rule` names another rule. */
export const idiom = (
  name: string,
  spelling: string,
  { rule: ruleName = name }: { readonly rule?: string } = {},
): Result<Rule> => rule(ruleName, spelling, spelling, { as: name });
