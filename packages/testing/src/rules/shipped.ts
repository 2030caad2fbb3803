/** Every rule that ships. */
import { orThrow } from '@baton/base';
import { everyRule, type Rule } from '@baton/rewrites';

/** The rules of all rule sets of `@baton/rewrites`. */
export const SHIPPED_RULES: ReadonlyArray<Rule> = orThrow(everyRule).rules;
