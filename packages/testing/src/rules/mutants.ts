/** Rules broken on purpose: each lacks one of its conditions, or takes a freedom it does not name. */
import { InvariantError } from '@baton/base';
import type { Rule } from '@baton/rewrites';
import { SHIPPED_RULES } from './shipped.ts';

/** A rule without one of its guards. */
export interface RuleMutant {
  readonly name: string;
  readonly rule: Rule;
}

/** The guards that rules cannot do without: a condition by its number, or a need. */
const GUARDS: Readonly<Record<string, ReadonlyArray<Rule['needs'][number] | number>>> = {
  'associative +': ['reassoc'],
  'associative *': ['reassoc', 'ninf'],
  distributive: ['reassoc', 'ninf', 'nsz'],
  'x + 0': ['nsz'],
  '(x + c) + c': ['reassoc'],
  '(x * c) * c': ['reassoc'],
  '(x + c) * c': ['reassoc', 'nsz'],
  'n / sqrt(x)': ['arcp'],
  'transpose of nothing': [1],
};

/** Shipped rules, each without a guard that it cannot do without. */
export const ruleMutants = (): ReadonlyArray<RuleMutant> =>
  Object.entries(GUARDS).flatMap(([name, guards]) => {
    const rule = SHIPPED_RULES.find((shipped) => shipped.name === name);
    const found = rule === undefined ? [] : mutantsOf(rule);
    return guards.map((guard) => {
      const lost = `${name}: no ${typeof guard === 'number' ? `condition ${guard}` : guard}`;
      const mutant = found.find((other) => other.name === lost);
      if (mutant === undefined) throw new InvariantError(`there is a rule ${lost}`);
      return mutant;
    });
  });

/** The rule without each of its conditions, and without each of its needs. */
export function mutantsOf(rule: Rule): ReadonlyArray<RuleMutant> {
  const { name, when, needs } = rule;
  return [
    ...when.map((left, i) => ({
      name: `${name}: no condition ${i + 1}`,
      rule: { ...rule, when: when.filter((condition) => condition !== left) },
    })),
    ...needs.map((left) => ({
      name: `${name}: no ${left}`,
      rule: { ...rule, needs: needs.filter((word) => word !== left) },
    })),
  ];
}
