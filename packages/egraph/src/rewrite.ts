/** Rules, and their conditions and appliers. */
import { andThen, type Diagnostic, failure, isLeft, ok, orThrow, type Result } from '@baton/base';
import { duplicateRule, mixedVariable, unboundVariable } from './diagnostics.ts';
import type { EGraph } from './egraph.ts';
import type { ClassId } from './ids.ts';
import { readOperator } from './language.ts';
import { makeRuleCode, type RuleCode } from './match/code.ts';
import { compileSide } from './match/program.ts';
import {
  type Clause,
  clausesOf,
  isHole,
  type Pattern,
  parseClauses,
  parsePattern,
  partsOf,
  patternsOf,
  patternVariables,
  payloadVariables,
  printPattern,
  type Side,
  sideVariables,
  subpatterns,
} from './pattern.ts';

/** A match of a left-hand side: a class, and the values of the variables. */
export interface Match<D> {
  readonly egraph: EGraph<D>;
  /** The class that matched, canonical. */
  readonly root: ClassId;
  /** The class of a variable, canonical. */
  readonly get: (variable: string) => ClassId;
  /** The payload of a variable after a colon. */
  readonly payload: (variable: string) => unknown;
}

/** A condition of a rule, checked for each match at the moment of application. */
export interface Condition<D> {
  readonly variables: ReadonlyArray<string>;
  readonly check: (egraph: EGraph<D>, ...classes: ReadonlyArray<ClassId>) => boolean;
  /**
   * The data that the answer depends on besides the classes of the variables: their analysis data
   * (`data`), nothing (`match`), or anything (`anything`, the default). Delta matching looks only
   * at changed matches, so a rule with a condition that reads `anything` is matched in full each
   * time.
   */
  readonly reads: 'match' | 'data' | 'anything';
  /** The text of the condition in explanations. */
  readonly text: string;
}

/** A right-hand side that is a function. */
export interface Applier<D> {
  readonly _tag: 'Applier';
  readonly variables: ReadonlyArray<string>;
  /** As the `reads` of conditions, of the variables' classes. */
  readonly reads: Condition<D>['reads'];
  /** The class that equals the matched one, or `undefined` to do nothing. */
  readonly apply: (match: Match<D>) => ClassId | undefined;
}

export interface Rewrite<D = unknown> {
  readonly _tag: 'Rewrite';
  readonly name: string;
  readonly left: ReadonlyArray<Clause> | Pattern;
  readonly right: ReadonlyArray<Clause> | Pattern | Applier<D>;
  readonly conditions: ReadonlyArray<Condition<D>>;
  /** Programs and generated code, kept between runs. */
  readonly code: RuleCode;
}

/** An argument of rules: a rule, a failed construction of one, or a list of these. */
export type RuleInput<D> =
  | Rewrite<D>
  | Result<Rewrite<D>>
  | Result<ReadonlyArray<Rewrite<D>>>
  | ReadonlyArray<RuleInput<D>>;

/** The rules of a run, or a function that is asked at each iteration for those that may match then. */
export type RuleSource<D> = RuleInput<D> | (() => RuleInput<D>);

/** The optional parts of a rule. */
export interface RewriteOptions<D> {
  readonly when?: Condition<D> | ReadonlyArray<Condition<D>>;
}

type Separator = ' ' | '(' | ')' | '\n' | '\t' | ',';
type TakeName<S extends string, N extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends Separator
    ? N
    : TakeName<Rest, `${N}${C}`>
  : N;

/** The names of the variables of a pattern, without their `?`, as a union of literals. */
export type VariableNames<S extends string> = S extends `${string}?${infer Rest}`
  ? TakeName<Rest> | VariableNames<Rest>
  : never;

/** `R` if `L` binds every variable in it, else a text that names the unbound ones. */
export type Bound<L extends string, R extends string> = string extends L
  ? R
  : string extends R
    ? R
    : [Exclude<VariableNames<R>, VariableNames<L>>] extends [never]
      ? R
      : `unbound variable ?${Exclude<VariableNames<R>, VariableNames<L>>}`;

/**
 * A rule: wherever `left` matches, `right` is equal.
 *
 * Sides are s-expressions or patterns; `right` may be a function. In texts, a variable on the right
 * that the left does not bind does not compile.
 *
 * **Errors** `EGRAPH_UNBOUND_VARIABLE`, and the errors of `parsePattern`.
 */
export function rewrite<D = unknown, const L extends string = string, R extends string = string>(
  name: string,
  left: L | Pattern,
  right: Bound<L, R> | Pattern | Applier<D>,
  options: RewriteOptions<D> = {},
): Result<Rewrite<D>> {
  return build<D>(parsePattern, name, left, right as string | Pattern | Applier<D>, options);
}

/**
 * A rule over several patterns at once: `?x = (f ?a), ?y = (g ?a)`. On the right, clauses give the
 * terms that become equal to variables.
 *
 * **Errors** `EGRAPH_BAD_CLAUSE`, `EGRAPH_UNBOUND_VARIABLE`, and the errors of `parsePattern`.
 */
export function multiRewrite<D = unknown>(
  name: string,
  left: string | ReadonlyArray<Clause>,
  right: string | ReadonlyArray<Clause> | Applier<D>,
  options: RewriteOptions<D> = {},
): Result<Rewrite<D>> {
  return build<D>(parseClauses, name, left, right, options);
}

/**
 * Two rules, `name` and `name-rev`: each side may replace the other.
 *
 * **Errors** as {@link rewrite}, for either direction.
 */
export function rewriteBoth<D = unknown>(
  name: string,
  left: string | Pattern,
  right: string | Pattern,
  options: RewriteOptions<D> = {},
): Result<ReadonlyArray<Rewrite<D>>> {
  return rules<D>([
    build<D>(parsePattern, name, left, right, options),
    build<D>(parsePattern, `${name}-rev`, right, left, options),
  ]);
}

/**
 * The rules of a list, flat, or all their errors.
 *
 * **Errors** of the rules, and `EGRAPH_DUPLICATE_RULE`.
 */
export function rules<D = unknown>(input: RuleInput<D>): Result<ReadonlyArray<Rewrite<D>>> {
  const found: Rewrite<D>[] = [];
  const wrong: Diagnostic[] = [];
  const visit = (item: RuleInput<D>): void => {
    if (!('_tag' in item)) for (const inner of item) visit(inner);
    else if (item._tag === 'Rewrite') found.push(item);
    else if (isLeft(item)) wrong.push(...item.left);
    else visit(item.right);
  };
  visit(input);
  const names = new Set<string>();
  for (const { name } of found) {
    if (names.has(name)) wrong.push(duplicateRule(name));
    names.add(name);
  }
  return failure(wrong) ?? ok(found);
}

/** A condition on the classes of variables: `when('?a', '?b', (egraph, a, b) => …)`. */
export function when<D = unknown>(
  ...args: readonly [...variables: string[], check: Condition<D>['check']]
): Condition<D> {
  const variables = args.slice(0, -1) as string[];
  const check = args.at(-1) as Condition<D>['check'];
  const text = `${check.name || 'condition'}(${variables.join(', ')})`;
  return { variables, check, reads: 'anything', text };
}

/** Like {@link when}, for a check that reads only the analysis data of its variables. */
export function whenData<D = unknown>(
  ...args: readonly [...variables: string[], check: Condition<D>['check']]
): Condition<D> {
  return { ...when<D>(...args), reads: 'data' };
}

/**
 * Like {@link when}, for payloads: `whenPayload('?k', (k: number) => k > 0)` for `(scale:?k ?x)`.
 */
export function whenPayload<D = unknown, P = unknown>(
  ...args: readonly [...variables: string[], check: (...payloads: ReadonlyArray<P>) => boolean]
): Condition<D> {
  const condition = when<D>(...(args as readonly [...string[], Condition<D>['check']]));
  const check = condition.check as (...payloads: ReadonlyArray<unknown>) => boolean;
  // The value of a variable after a colon is the payload itself.
  return { ...condition, reads: 'match', check: (_, ...payloads) => check(...payloads) };
}

export interface WhenEqualOptions {
  /** Whether to add both sides to the e-graph first, rather than to look them up. */
  readonly add?: boolean;
}

/**
 * The condition that two patterns are equal under the match.
 *
 * **Errors** throws a `DiagnosticsError` if a pattern does not parse: it is part of the program.
 */
export function whenEqual<D = unknown>(
  left: string | Pattern,
  right: string | Pattern,
  { add = false }: WhenEqualOptions = {},
): Condition<D> {
  const sides = [left, right].map((side) =>
    orThrow(typeof side === 'string' ? parsePattern(side, 'whenEqual') : ok(side)),
  );
  const variables = patternVariables(...sides);
  return {
    variables,
    reads: 'anything',
    text: sides.map(printPattern).join(' = '),
    check: (egraph, ...classes) => {
      const get = (name: string): ClassId => classes[variables.indexOf(name)] as ClassId;
      const [a, b] = sides.map((side) =>
        instantiate(add ? 'add' : 'lookup', egraph, side, get, get),
      );
      return a !== undefined && b !== undefined && egraph.find(a) === egraph.find(b);
    },
  };
}

/** Adds a pattern whose variables have the classes and payloads that `get` returns. */
export function addPattern<D>(
  egraph: EGraph<D>,
  p: Pattern,
  get: (variable: string) => ClassId,
  payload: (variable: string) => unknown = get,
): ClassId {
  // Every operator has a class once it is added.
  return instantiate('add', egraph, p, get, payload) as ClassId;
}

/** The class of such a pattern, if it exists. */
export function lookupPattern<D>(
  egraph: EGraph<D>,
  p: Pattern,
  get: (variable: string) => ClassId,
  payload: (variable: string) => unknown = get,
): ClassId | undefined {
  return instantiate('lookup', egraph, p, get, payload);
}

/**
 * An applier that is a function of the match. If it reads only the match, or the analysis data of its
 * variables, old matches need not be applied again.
 */
export const applier = <D = unknown>(
  variables: ReadonlyArray<string>,
  apply: (match: Match<D>) => ClassId | undefined,
  reads: Applier<D>['reads'] = 'anything',
): Applier<D> => ({ _tag: 'Applier', variables, apply, reads });

export const isApplier = <D>(right: Rewrite<D>['right']): right is Applier<D> =>
  '_tag' in right && right._tag === 'Applier';

function instantiate<D>(
  how: 'add' | 'lookup',
  egraph: EGraph<D>,
  p: Pattern,
  get: (variable: string) => ClassId,
  payload: (variable: string) => unknown,
): ClassId | undefined {
  if (p._tag === 'Variable') return get(p.name);
  const parts = partsOf(p);
  const children = parts.flatMap((part) => instantiate(how, egraph, part, get, payload) ?? []);
  const { name, payload: own } = readOperator(egraph.language, p);
  if (children.length < parts.length) return undefined;
  return egraph[how](name, children, isHole(own) ? payload(own.name) : own);
}

/** Parses a side of a rule; `name` names it in diagnostics. */
type Parse = (text: string, name: string) => Result<Side>;

const parsed = <A>(parse: Parse, side: string | A, name: string): Result<Side | A> =>
  typeof side === 'string' ? parse(side, name) : ok(side);

function build<D>(
  parse: Parse,
  name: string,
  leftSide: string | Side,
  rightSide: string | Side | Applier<D>,
  options: RewriteOptions<D>,
): Result<Rewrite<D>> {
  return andThen(parsed(parse, leftSide, `rule ${name}, left side`), (left) =>
    andThen(parsed(parse, rightSide, `rule ${name}, right side`), (right) =>
      checked(name, left, right, options),
    ),
  );
}

/** The rule, unless its sides do not fit together. */
function checked<D>(
  name: string,
  left: Side,
  right: Side | Applier<D>,
  options: RewriteOptions<D>,
): Result<Rewrite<D>> {
  const conditions = [options.when ?? []].flat();
  const bound = sideVariables(left);
  const used = isApplier(right) ? right.variables : freeVariables(right, bound);
  const wrong = [...new Set([...used, ...conditions.flatMap((c) => c.variables)])]
    .filter((variable) => !bound.includes(variable))
    .map((variable) => unboundVariable(name, variable, bound));
  const patterns = (isApplier(right) ? [left] : [left, right]).flatMap(patternsOf);
  const payloads = payloadVariables(patterns);
  const classes = [
    ...clausesOf(left).map((clause) => clause.variable),
    ...subpatterns(patterns).flatMap((p) => (p._tag === 'Variable' ? p.name : [])),
  ];
  const both = classes.find((variable) => payloads.has(variable));
  if (both !== undefined) wrong.push(mixedVariable(name, both));
  const refused = failure(wrong);
  if (refused) return refused;
  const code = makeRuleCode(compileSide(left), isApplier(right) ? undefined : right);
  return ok({ _tag: 'Rewrite', name, left, right, conditions, code });
}

/** The variables that a right-hand side uses before it binds them itself. */
function freeVariables(right: Side, bound: ReadonlyArray<string>): ReadonlyArray<string> {
  const known = new Set(bound);
  return clausesOf(right).flatMap(({ variable, pattern }) => {
    const free = patternVariables(pattern).filter((name) => !known.has(name));
    known.add(variable);
    return free;
  });
}
