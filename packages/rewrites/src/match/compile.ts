/** Rules compiled for a table of operators: names checked, attributes completed. */
import { type Diagnostic, failure, type Result, right } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { commutes } from '@baton/ops';
import {
  missingAttribute,
  unknownAttribute,
  unknownOperator,
  wrongArgumentCount,
} from '../diagnostics.ts';
import { instancesOf } from '../rule/instances.ts';
import {
  type AttrPattern,
  type CallPattern,
  holesOf,
  type Pattern,
  partsOf,
  sharing,
  subpatterns,
  withParts,
} from '../rule/pattern.ts';
import type { Equation, Rule } from '../rule/rule.ts';

/** A rule for the operators of one table. */
export interface CompiledRule {
  readonly rule: Rule;
  /** The name of the rule in this direction. */
  readonly label: string;
  readonly lefts: ReadonlyArray<Pattern>;
  /** The left sides once for each order of the arguments of commutative operators. */
  readonly orders: ReadonlyArray<ReadonlyArray<Pattern>>;
  /** The right sides; several share their alike parts. */
  readonly rights: ReadonlyArray<Pattern>;
  /** The holes for expressions on the right. */
  readonly kept: ReadonlySet<string>;
}

/** The most orders of arguments that one rule is matched in. */
const MAX_ORDERS = 64;

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
      known ??= choicesOf(lefts.map((left) => orders(left, ops))).slice(0, MAX_ORDERS);
      return known;
    },
    rights,
    kept: holesOf(...rights).terms,
  };
}

/** Each way to take one element of every list. */
const choicesOf = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<ReadonlyArray<A>> =>
  lists.reduce<ReadonlyArray<ReadonlyArray<A>>>(
    (made, choices) => made.flatMap((list) => choices.map((choice) => [...list, choice])),
    [[]],
  );

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

/** The attributes of a call, with the defaults of those that it does not name. */
export function completeAttrs(
  { op, attrs, rest }: CallPattern,
  ops: OpTable,
): ReadonlyMap<string, AttrPattern> {
  if (rest !== undefined) return attrs;
  const complete = new Map<string, AttrPattern>();
  for (const { name, defaultValue } of ops.get(op)?.attrs.fields ?? []) {
    const value = attrs.get(name) ?? defaultValue;
    if (value !== undefined) complete.set(name, value);
  }
  return complete;
}

/**
 * The pattern with each order of the arguments of its commutative operators, and with the defaults of
 * attributes that its calls do not name.
 */
function orders(p: Pattern, ops: OpTable): ReadonlyArray<Pattern> {
  const chosen = choicesOf(partsOf(p).map((part) => orders(part, ops)));
  const turns = p._tag === 'Call' && commutes(ops, p.op);
  const all = turns ? chosen.flatMap((args) => [args, [...args].reverse()]) : chosen;
  const complete = p._tag === 'Call' ? { ...p, attrs: completeAttrs(p, ops) } : p;
  return all.map((args) => withParts(complete, args));
}
