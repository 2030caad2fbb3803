/** Rules broken on purpose: each lacks one of its conditions, or takes a freedom it does not name. */
import type { Rule } from '@baton/rewrites';

/** A rule without one of its guards. */
export interface RuleMutant {
  readonly name: string;
  readonly rule: Rule;
}

/** The rule without each of its conditions, and without each of its needs. */
export const mutantsOf = (rule: Rule): ReadonlyArray<RuleMutant> => [
  ...rule.when.map(
    (left, i): RuleMutant => ({
      name: `${rule.name}: no condition${rule.when.length > 1 ? ` ${i + 1}` : ''}`,
      rule: { ...rule, when: rule.when.filter((condition) => condition !== left) },
    }),
  ),
  ...rule.needs.map(
    (left): RuleMutant => ({
      name: `${rule.name}: no ${left}`,
      rule: { ...rule, needs: rule.needs.filter((word) => word !== left) },
    }),
  ),
];
