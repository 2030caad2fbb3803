/** Rules in each direction in which they are used. */
import { andThen, type Result, right } from '@baton/base';
import type { OpTable } from '@baton/ir';
import type { Rule } from '../rule/rule.ts';
import { type CompiledRule, compileRule, compileRules } from './compile.ts';

/**
 * The rules for the operators of a table; those that are oriented both ways, from right to left, too.
 *
 * **Errors** those of `compileRules`.
 */
export const compileBothWays = (
  rules: ReadonlyArray<Rule>,
  ops: OpTable,
): Result<ReadonlyArray<CompiledRule>> =>
  andThen(compileRules(rules, ops), (compiled) =>
    right(
      compiled.flatMap((one) => (one.rule.orient === 'both' ? [one, reversed(one, ops)] : [one])),
    ),
  );

const reversed = ({ rule, label }: CompiledRule, ops: OpTable): CompiledRule =>
  compileRule(
    rule,
    ops,
    rule.equations.map(({ left, right: to }) => ({ left: to, right: left })),
    `${label}, from right to left`,
  );
