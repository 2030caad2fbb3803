/** Idioms without an operator: a spelling becomes a kernel with a name. */
import type { Result } from '@baton/base';
import { type Rule, type RuleOptions, rule } from '../rule/rule.ts';

/** The rule by which a spelling becomes the body of a kernel with this name. */
export const idiom = (
  name: string,
  spelling: string,
  options: RuleOptions<string, never, never> = {},
): Result<Rule> => rule(name, spelling, spelling, { ...options, as: name });
