/** Rules compiled for a table of operators: names checked, each once. */
import { andThen, type Diagnostic, failure, once, type Result, remember, right } from '@baton/base';
import type { OpTable } from '@baton/ir';
import {
  type CallPattern,
  holesOf,
  operatorHole,
  type Pattern,
  sharing,
  subpatterns,
} from '@baton/ops';
import {
  missingAttribute,
  unknownAttribute,
  unknownOperator,
  wrongArgumentCount,
} from '../diagnostics.ts';
import { instancesOf, operatorsOf } from '../rule/instances.ts';
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
export const compileRules = (
  given: ReadonlyArray<Rule>,
  ops: OpTable,
  options?: CompileOptions,
): Result<ReadonlyArray<CompiledRule>> =>
  andThen(checkRules(given, ops, options), (rules) =>
    right(rules.flatMap((rule) => compiledFor(rule, ops))),
  );

/**
 * The rules, if they fit the operators of a table.
 *
 * **Errors** those of {@link compileRules}.
 */
export function checkRules(
  given: ReadonlyArray<Rule>,
  ops: OpTable,
  { skipUnknown = false }: CompileOptions = {},
): Result<ReadonlyArray<Rule>> {
  const ofTable = remember(checks, ops, () => new WeakMap());
  const all = given.map((rule) => remember(ofTable, rule, () => checked(rule, ops)));
  const used = skipUnknown ? all.filter(({ isKnown }) => isKnown) : all;
  return failure(used.flatMap(({ problems }) => problems)) ?? right(used.map(({ rule }) => rule));
}

const checks = new WeakMap<OpTable, WeakMap<Rule, Checked>>();

/** A rule about operators of a table, and the mistakes in it. */
interface Checked {
  readonly rule: Rule;
  /** Whether the table has all its operators. */
  readonly isKnown: boolean;
  readonly problems: ReadonlyArray<Diagnostic>;
}

function checked(rule: Rule, ops: OpTable): Checked {
  const calls = callsIn(rule, ops).map((call) => ({ call, names: namesOf(call, rule, ops) }));
  return {
    rule,
    isKnown: calls.every(({ names }) => names.every((name) => ops.get(name) !== undefined)),
    problems: calls.flatMap(({ call, names }) =>
      names.flatMap((name) => problemsOf(rule.name, call, name, ops)),
    ),
  };
}

/** The operators that a call of a pattern may call. */
function namesOf(
  call: CallPattern,
  { operators, chosen }: Rule,
  ops: OpTable,
): ReadonlyArray<string> {
  const isMeant = operators.get(operatorHole(call) ?? '');
  return isMeant === undefined ? [call.op] : operatorsOf(isMeant, ops, chosen);
}

/**
 * A checked rule for the operators of a table, once for each choice of its operators. `given` are
 * those of some holes. Callers share them.
 */
export function compiledFor(
  rule: Rule,
  ops: OpTable,
  given?: Rule['chosen'],
): ReadonlyArray<CompiledRule> {
  const ofTable = remember(compiled, ops, () => new WeakMap());
  const ofRule = remember(ofTable, rule, () => new Map());
  return instancesOf(rule, ops, given).map((one) =>
    remember(ofRule, labelOf(one), () => compileRule(one, ops)),
  );
}

const compiled = new WeakMap<OpTable, WeakMap<Rule, Map<string, CompiledRule>>>();

/** The calls of a rule that a table may not fit; a test reads the right sides of Baton's own rules. */
function callsIn(rule: Rule, ops: OpTable): ReadonlyArray<CallPattern> {
  const isOwn = rule.named?.rights.every((name) => ops.get(name) !== undefined);
  const rights = isOwn ? [] : rule.equations.map(({ right: to }) => to);
  return [...rule.equations.map(({ left }) => left), ...rights]
    .flatMap(subpatterns)
    .filter((part) => part._tag === 'Call');
}

/** The name of a rule, and of the operators that are chosen for it. */
const labelOf = ({ name, chosen }: Rule): string =>
  chosen.size === 0 ? name : `${name}, for ${[...chosen.values()].join(' and ')}`;

/** A rule for the operators of a table: from left to right, or with other sides in their place. */
export function compileRule(
  rule: Rule,
  ops: OpTable,
  label: string = labelOf(rule),
  equations: ReadonlyArray<Equation> = rule.equations,
): CompiledRule {
  const lefts = equations.map(({ left }) => left);
  // Made when the rule is first tried: most programs have few of the operators in a table.
  const sides = once(() => equations.map(({ right: to }) => to));
  const rights = once(() => (lefts.length === 1 ? sides() : sharing(sides())));
  const orders = once(() => ordersOf(rule, lefts, sides, ops));
  const kept = once(() => holesOf(...sides()).terms);
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

/** The mistakes in a call of a pattern, of this operator. */
function problemsOf(
  rule: string,
  { args, attrs, rest, span }: CallPattern,
  op: string,
  ops: OpTable,
): ReadonlyArray<Diagnostic> {
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
