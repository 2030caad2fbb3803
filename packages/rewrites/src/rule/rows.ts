/** The lines of a report about rules, and what their use needs. */
import { FAST_MATH, type FastMath } from '@baton/pass-manager';
import type { Rule } from './rule.ts';

/** The reasons for which an engine does not use a match. */
export const REASONS = ['condition', 'type', 'range', 'effect', 'cost'] as const;

/** A reason for which an engine does not use a match. */
export type Reason = (typeof REASONS)[number];

/** The row that counts refused matches of a rule. */
export const refusedRow = ({ name }: Rule, reason: Reason): string => `${name}: refused, ${reason}`;

/** The rows for uses of rules. */
export const rowsOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> =>
  rules.map(({ name }) => name);

/** The rows for refused matches of rules, by reason. */
export const refusalsOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> =>
  rules.flatMap((rule) => REASONS.map((reason) => refusedRow(rule, reason)));

/** The freedoms that the use of these rules takes, in the order of all lists. */
export const needsOfRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<FastMath> =>
  FAST_MATH.filter((word) => rules.some(({ needs }) => needs.includes(word)));
