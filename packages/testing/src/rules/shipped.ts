/** Every rule that ships. */
import { orThrow } from '@baton/base';
import { type Rule, ruleSets } from '@baton/rewrites';

export const SHIPPED_RULES: ReadonlyArray<Rule> = ruleSets.flatMap((set) => orThrow(set).rules);
