/** Rules compiled for a table of operators: names checked, attributes completed. */
import { type Diagnostic, failure, type Result, right } from '@baton/base';
import type { OpTable } from '@baton/ir';
import {
  missingAttribute,
  unknownAttribute,
  unknownOperator,
  wrongArgumentCount,
} from '../diagnostics.ts';
import { instancesOf } from '../rule/instances.ts';
import { type CallPattern, holesOf, type Pattern, sharing, subpatterns } from '../rule/pattern.ts';
import type { Equation, Rule } from '../rule/rule.ts';
import { ordersOf } from './orders.ts';

/** A rule for the operators of one table. */
export interface CompiledRule {
  readonly rule: Rule;
  /** The name of the rule in this direction. */
  readonly label: string;
  readonly lefts: ReadonlyArray<Pattern>;
  /** The left sides in each order of the arguments of commutative operators that makes a difference. */
  readonly orders: ReadonlyArray<ReadonlyArray<Pattern>>;
  /** The right sides; several share their alike parts. */
  readonly rights: ReadonlyArray<Pattern>;
  /** The holes for expressions on the right. */
  readonly kept: ReadonlySet<string>;
}

/** The choices of {@link compileRules}. */
export interface CompileOptions {
  /** Leaves out rules about operators that the table lacks, in place of an error. */
  readonly skipUnknown?: boolean;
}

/**
 * The rules for the operators of a table, from left to right.
 *
 * **Errors** `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`.
 */
export function compileRules(
  given: ReadonlyArray<Rule>,
  ops: OpTable,
  { skipUnknown = false }: CompileOptions = {},
): Result<ReadonlyArray<CompiledRule>> {
  const all = given.flatMap((rule) => instancesOf(rule, ops));
  const isKnown = ({ op }: CallPattern): boolean => ops.get(op) !== undefined;
  const rules = skipUnknown ? all.filter((rule) => callsIn(rule).every(isKnown)) : all;
  const wrong = rules.flatMap((rule) =>
    callsIn(rule).flatMap((call) => problemsOf(rule.name, call, ops)),
  );
  return failure(wrong) ?? right(rules.map((rule) => compileRule(rule, ops)));
}

/** The calls on both sides of a rule. */
const callsIn = ({ equations }: Rule): ReadonlyArray<CallPattern> =>
  equations
    .flatMap(({ left, right: to }) => [...subpatterns(left), ...subpatterns(to)])
    .filter((part) => part._tag === 'Call');

/** The name of a rule, and of the operators that are chosen for it. */
const labelOf = ({ name, chosen }: Rule): string =>
  chosen.size === 0 ? name : `${name}, for ${[...chosen.values()].join(' and ')}`;

/** A rule for the operators of a table: its own equations, or others in their place. */
export function compileRule(
  rule: Rule,
  ops: OpTable,
  equations: ReadonlyArray<Equation> = rule.equations,
  label: string = labelOf(rule),
): CompiledRule {
  const lefts = equations.map(({ left }) => left);
  const sides = equations.map(({ right: to }) => to);
  const rights = sides.length === 1 ? sides : sharing(sides);
  let known: CompiledRule['orders'] | undefined;
  return {
    rule,
    label,
    lefts,
    // Made when the rule is first tried: most programs have few of the operators in a table.
    get orders() {
      known ??= ordersOf(rule, lefts, rights, ops);
      return known;
    },
    rights,
    kept: holesOf(...rights).terms,
  };
}

/** The mistakes in a call of a pattern. */
function problemsOf(rule: string, call: CallPattern, ops: OpTable): ReadonlyArray<Diagnostic> {
  const { op, args, attrs, rest, span } = call;
  const info = ops.get(op);
  if (info === undefined) return [unknownOperator(rule, op, ops.names, span)];
  const { fields } = info.attrs;
  const names = fields.map((field) => field.name);
  const unknown = [...attrs.keys()].filter((name) => !names.includes(name));
  const missing = fields.filter(
    ({ name, defaultValue }) => defaultValue === undefined && !attrs.has(name),
  );
  return [
    ...(args.length === info.inputs.length
      ? []
      : [wrongArgumentCount(rule, op, info.inputs.length, args.length, span)]),
    ...unknown.map((name) => unknownAttribute(rule, op, name, names, span)),
    ...(rest === undefined ? missing : []).map(({ name }) =>
      missingAttribute(rule, op, name, span),
    ),
  ];
}
