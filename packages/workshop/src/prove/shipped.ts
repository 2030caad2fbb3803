/** The rule sets that Baton ships. */
import { orThrow } from '@baton/base';
import { type RuleSet, ruleSets } from '@baton/rewrites';

export const shippedSets = (): ReadonlyArray<RuleSet> => ruleSets.map((set) => orThrow(set));
