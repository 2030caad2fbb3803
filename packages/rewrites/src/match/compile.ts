/** Rules compiled for a table of operators: names checked, each once. */
import { type Diagnostic, failure, type Result, remember, right } from '@baton/base';
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
 * The rules for the operators of a table, from left to right. Callers share them.
 *
 * **Errors** `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`.
 */
export function compileRules(
  given: ReadonlyArray<Rule>,
  ops: OpTable,
  { skipUnknown = false }: CompileOptions = {},
): Result<ReadonlyArray<CompiledRule>> {
  const ofTable = remember(known, ops, () => new WeakMap());
  const all = given.flatMap((rule) =>
    remember(ofTable, rule, () => instancesOf(rule, ops).map((one) => checked(one, ops))),
  );
  const used = skipUnknown ? all.filter(({ isKnown }) => isKnown) : all;
  return (
    failure(used.flatMap(({ problems }) => problems)) ?? right(used.map(({ compiled }) => compiled))
  );
}

const known = new WeakMap<OpTable, WeakMap<Rule, ReadonlyArray<Checked>>>();

/** A rule about operators of a table, and the mistakes in it. */
interface Checked {
  readonly compiled: CompiledRule;
  /** Whether the table has all its operators. */
  readonly isKnown: boolean;
  readonly problems: ReadonlyArray<Diagnostic>;
}

function checked(rule: Rule, ops: OpTable): Checked {
  const calls = callsIn(rule);
  return {
    compiled: compileRule(rule, ops),
    isKnown: calls.every(({ op }) => ops.get(op) !== undefined),
    problems: calls.flatMap((call) => problemsOf(rule.name, call, ops)),
  };
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
  // Made when the rule is first tried: most programs have few of the operators in a table.
  const rights = once(() => (sides.length === 1 ? sides : sharing(sides)));
  const orders = once(() => ordersOf(rule, lefts, sides, ops));
  const kept = once(() => holesOf(...sides).terms);
  return {
    rule,
    label,
    lefts,
    get orders() {
      return orders();
    },
    get rights() {
      return rights();
    },
    get kept() {
      return kept();
    },
  };
}

/** A function that makes its value when it is first asked. */
function once<A>(make: () => A): () => A {
  let made: { readonly value: A } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The mistakes in a call of a pattern. */
function problemsOf(rule: string, call: CallPattern, ops: OpTable): ReadonlyArray<Diagnostic> {
  const { op, args, attrs, rest, span } = call;
  const info = ops.get(op);
  if (info === undefined) return [unknownOperator(rule, op, ops.names, span)];
  const { fields } = info.attrs;
  const isFull = attrs.size === 0 && (rest !== undefined || fields.length === 0);
  if (isFull && args.length === info.inputs.length) return [];
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
