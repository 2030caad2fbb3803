/**
 * FoldConstant: computes expressions of constants at compile time.
 * [passes §1](https://batonjs.github.io/baton/spec/passes#1).
 */
import { aBoolean, type Budget, isLeft, mergeSpans, type Span } from '@baton/base';
import {
  type Call,
  children,
  constant,
  type Expr,
  type Func,
  type IRModule,
  isContextual,
  isStateful,
  type Let,
  mapChildren,
  type Step,
  tuple,
  typeOf,
  type Var,
} from '@baton/ir';
import {
  byteCount,
  type CallEvaluator,
  evaluateCall,
  foldableColumn,
  type OpValue,
  staticTensor,
  typeOfValue,
} from '@baton/ops';
import {
  type Count,
  type MustKeep,
  type OperatorCounter,
  operatorCounter,
  type Pass,
  refined,
  rewriteFunc,
  rewritingPass,
  visibleIn,
  withTypeOf,
} from '@baton/pass-manager';
import { dtypeInfo, isSplat, isTensor, readNumber, splat, tensorsEqual } from '@baton/tensor';
import { anEvaluator, type ConfigurablePass, configurable } from './configurable.ts';
import { BEYOND_LIMIT, computed, REASONS_TO_KEEP } from './constant-call.ts';
import { operatorCounters } from './operator-counters.ts';

const COUNTERS = [
  'call',
  'call with a tuple',
  'call that gives a tuple',
  'let',
  'if true',
  'if false',
  'projection',
  'kept: unknown condition',
  'kept: stateful field',
  ...REASONS_TO_KEEP,
] as const;

type Counter = (typeof COUNTERS)[number] | typeof BEYOND_LIMIT | OperatorCounter;

type Evaluate = CallEvaluator['evaluateCall'];

export interface FoldConstantOptions {
  /** The evaluator of calls, such as an executor. Default: the kernels themselves. */
  readonly executor?: CallEvaluator;
  /**
   * Whether a call stays if its value takes more bytes than the constants that it is computed from: for
   * modules that become files, whose readers compute the value again. What is computed from it and is
   * small is a constant all the same. Default: false.
   */
  readonly keepsSmaller?: boolean;
}

/** The bytes of a call in a file: a value larger by at most this is not growth. */
const CALL_BYTES = 64;

/**
 * Replaces every call of an operator on constants by its value.
 *
 * - A let whose value is a constant disappears, an `if` on a constant is the branch taken, a
 *   projection of a literal tuple is the field (if the others may be dropped).
 * - `shape_of` and `ndarray_size` need only the type of their argument.
 * - Left as they are: `Primitive` functions, operators that are stateful or take no argument, and
 *   results that would be larger than `MAX_INFLATED_BYTES` and than the constants that they
 *   are computed from: a module must not grow by what a loop of tiles or broadcasts can make. All
 *   results together are within the `limits.bytes` of the context.
 *
 * **Complexity** linear in the function, plus the kernels.
 */
export const foldConstant: ConfigurablePass<FoldConstantOptions> = configurable(
  { executor: anEvaluator, keepsSmaller: aBoolean },
  ({ executor = { evaluateCall }, keepsSmaller = false }): Pass =>
    rewritingPass({
      name: 'FoldConstant',
      doc: 'Evaluates expressions of constants at compile time.',
      subject: 'algebra',
      level: 2,
      counters: COUNTERS,
      remarks: [BEYOND_LIMIT],
      operatorCounters: operatorCounters(foldableColumn, (foldable) => foldable === 'by type'),
      isIdempotent: true,
      run: (f, m, context) =>
        refined(f, m, context.count, (mustKeep, count) => {
          let made = f;
          for (;;) {
            const { folded, kept } = foldedOnce(made, {
              m,
              evaluate: executor.evaluateCall,
              keepsSmaller,
              mustKeep,
              count,
              budget: context.budget,
            });
            made = folded;
            // A binding stays for an inner function that captures it, which may have gone with its
            // branch.
            const { captured } = visibleIn(folded.body, m);
            if (kept.every((v) => captured.has(v))) return made;
          }
        }),
    }),
);

/** A walk through a function, and what it finds. */
interface Folding {
  readonly m: IRModule;
  readonly evaluate: Evaluate;
  /** Whether calls stay whose values are larger than what they are computed from. */
  readonly keepsSmaller: boolean;
  readonly mustKeep: MustKeep;
  readonly count: Count<Counter>;
  /** The remaining budget for values. */
  readonly budget: Budget;
  /** The variables that inner functions take from outside. */
  readonly captured: ReadonlySet<Var>;
  /** The values of lets, by their variables. */
  readonly bound: ReadonlyMap<Var, Expr>;
  /** The constants that stay bound for inner functions. */
  readonly kept: Var[];
  readonly values: Map<Expr, OpValue>;
  /** The bytes of the constants in calls that stay although their values are known. */
  readonly sources: Map<Expr, number>;
  /** The users of expressions, unless values may be of any size. */
  readonly users: Users | undefined;
}

/** The function after one walk, and the constants that stay bound for inner functions. */
function foldedOnce(
  f: Func,
  tools: Pick<Folding, 'm' | 'evaluate' | 'keepsSmaller' | 'mustKeep' | 'count' | 'budget'>,
): { readonly folded: Func; readonly kept: ReadonlyArray<Var> } {
  const { m } = tools;
  const { order, captured } = visibleIn(f.body, m);
  const bound = new Map<Var, Expr>();
  for (const node of order) if (node._tag === 'Let') bound.set(node.variable, node.value);
  const folding: Folding = {
    ...tools,
    captured,
    bound,
    kept: [],
    values: new Map(),
    sources: new Map(),
    users: tools.keepsSmaller ? usersOf(order) : undefined,
  };
  const step: Step = (node, get) => {
    const result = foldedNode(folding, node, get) ?? mapChildren(node, get);
    const value = constantValue(result, folding.values);
    if (value !== undefined) folding.values.set(result, value);
    return result;
  };
  return { folded: rewriteFunc(f, m, step, order), kept: folding.kept };
}

function foldedNode(folding: Folding, node: Expr, get: (node: Expr) => Expr): Expr | undefined {
  const { m, mustKeep, count, values } = folding;
  switch (node._tag) {
    case 'Var': {
      const value = folding.bound.get(node);
      // A recursive function meets its variable before its value is done: then it is not constant.
      const result = value && get(value);
      return result?._tag === 'Constant' && !mustKeep(node, result) ? result : node;
    }
    case 'Let':
      return isGone(folding, node, get(node.value)) ? get(node.body) : undefined;
    case 'If': {
      const cond = get(node.cond);
      const isKnown = cond._tag === 'Constant' && cond.data.shape.length === 0;
      const isTrue = isKnown && readNumber(cond.data, 0) !== 0;
      count(isKnown ? (isTrue ? 'if true' : 'if false') : 'kept: unknown condition');
      const branch = isTrue ? node.trueBranch : node.falseBranch;
      return isKnown ? inPlaceOf(folding, node, get(branch)) : undefined;
    }
    case 'TupleGetItem': {
      const of = get(node.tuple);
      const field = of._tag === 'Tuple' ? of.fields[node.index] : undefined;
      if (field === undefined) return undefined;
      const mayDrop = values.has(of) || !isStateful(m, of);
      count(mayDrop ? 'projection' : 'kept: stateful field');
      return mayDrop ? inPlaceOf(folding, node, field) : undefined;
    }
    case 'Call': {
      const call = mapChildren(node, get);
      const folded = foldedCall(folding, node, call, get);
      return folded === undefined ? call : inPlaceOf(folding, node, folded);
    }
    default:
      return undefined;
  }
}

/** Whether a let is dropped, since its constant value replaces each use. */
function isGone({ mustKeep, captured, kept, count }: Folding, node: Let, value: Expr): boolean {
  if (value._tag !== 'Constant' || mustKeep(node.variable, value)) return false;
  if (captured.has(node.variable)) kept.push(node.variable);
  else count('let');
  return !captured.has(node.variable);
}

/** The replacement, with its type hidden if it would reveal more than the original's. */
function inPlaceOf({ m, mustKeep, values }: Folding, was: Expr, made: Expr): Expr {
  if (!mustKeep(was, made) && !isContextual(m, made)) return made;
  const hidden = withTypeOf(m, was, made);
  const value = constantValue(made, values);
  if (value !== undefined) values.set(hidden, value);
  return hidden;
}

/** The value of a constant, or of a tuple of constants whose own values are known. */
function constantValue(expr: Expr, values: ReadonlyMap<Expr, OpValue>): OpValue | undefined {
  if (expr._tag === 'Constant') return expr.literal === undefined ? expr.data : undefined;
  if (expr._tag !== 'Tuple') return undefined;
  const fields = expr.fields.map((field) => values.get(field)).filter((v) => v !== undefined);
  return fields.length === expr.fields.length ? fields : undefined;
}

/** The value of a call whose rewritten parts are those of `call`. */
function foldedCall(
  folding: Folding,
  node: Call,
  call: Expr,
  get: (node: Expr) => Expr,
): Expr | undefined {
  if (node.op._tag !== 'Op') return undefined;
  const { m, evaluate, count, values, budget } = folding;
  const name = node.op.name;
  if (m.ops.read(foldableColumn, name) === 'by type') return foldedByType(folding, node, name, get);
  const args = node.args.map((arg) => values.get(get(arg)));
  const known = args.filter((arg) => arg !== undefined);
  if (known.length !== args.length) return undefined;
  const type = typeOf(m, call) ?? typeOf(m, node);
  const found = computed(m, { call: node, name, type, args: known }, evaluate, budget);
  if (found === undefined) return undefined;
  if (typeof found === 'string') {
    count(found);
    return undefined;
  }
  const { value } = found;
  if (folding.keepsSmaller && grows(folding, { node, call, value, get })) return undefined;
  count('call');
  if (known.some((arg) => !isTensor(arg))) count('call with a tuple');
  if (!isTensor(value)) count('call that gives a tuple');
  return toExpr(value, foldedSpan(node, get));
}

/** A call with a known value: as it was, and with rewritten parts. */
interface KnownResult {
  readonly node: Call;
  readonly call: Expr;
  readonly value: OpValue;
  readonly get: (node: Expr) => Expr;
}

/** Whether a value is larger than what it is computed from and only it uses: the call stays. */
function grows(
  { values, sources, users }: Folding,
  { node, call, value, get }: KnownResult,
): boolean {
  const sourceOf = (arg: Expr): number => {
    const made = get(arg);
    const known = sources.get(made);
    if (known !== undefined) return known;
    if (arg._tag === 'Tuple') return sum([...new Set(arg.fields)].map(freed));
    return valueBytes(values.get(made) ?? []);
  };
  const freed = (arg: Expr): number => (users?.areAlike(arg) === false ? 0 : sourceOf(arg));
  const direct = sum([...new Set(node.args)].map(freed));
  const source = Math.max(direct, users === undefined ? 0 : onlyFor(node, users, values, get));
  if (valueBytes(value) <= source + CALL_BYTES) return false;
  values.set(call, value);
  sources.set(call, source);
  return true;
}

/** The most expressions that are searched for constants which only one call needs. */
const MAX_CONE = 64;

/** The bytes of the constants that only a call needs: all paths from them lead through it. */
function onlyFor(
  root: Call,
  users: Users,
  values: Folding['values'],
  get: (node: Expr) => Expr,
): number {
  const cone: Expr[] = [root];
  /** The users of expressions that are not in the cone so far. */
  const others = new Map<Expr, number>();
  let bytes = 0;
  for (const node of cone) {
    if (cone.length > MAX_CONE) return 0;
    for (const part of new Set(children(node))) {
      const left = (others.get(part) ?? users.count(part)) - 1;
      others.set(part, left);
      if (left > 0) continue;
      const made = get(part);
      const value = values.get(made);
      if (value === undefined) continue;
      if (made._tag === 'Constant') bytes += valueBytes(value);
      else cone.push(part);
    }
  }
  return bytes;
}

/** The bytes of a value; one element counts for those that are all equal. */
const valueBytes = (value: OpValue): number =>
  isTensor(value) && isSplat(value) ? dtypeInfo(value.dtype).bytes : bytesOf(value);

/** The users of the expressions of a function. */
interface Users {
  readonly count: (expr: Expr) => number;
  /** Whether all are equal calls. */
  readonly areAlike: (expr: Expr) => boolean;
}

function usersOf(order: ReadonlyArray<Expr>): Users {
  const users = new Map<Expr, { readonly first: Expr; count: number; areAlike: boolean }>();
  for (const node of order) {
    for (const part of new Set(children(node))) {
      const known = users.get(part);
      if (known === undefined) {
        users.set(part, { first: node, count: 1, areAlike: true });
        continue;
      }
      known.count++;
      known.areAlike &&= areAlike(known.first, node);
    }
  }
  return {
    count: (expr) => users.get(expr)?.count ?? 0,
    areAlike: (expr) => users.get(expr)?.areAlike !== false,
  };
}

/** Whether two calls are of one operator, on the same expressions or on equal constants. */
function areAlike(a: Expr, b: Expr): boolean {
  if (a._tag !== 'Call' || b._tag !== 'Call' || a.args.length !== b.args.length) return false;
  const isSameOperator = a.op._tag === 'Op' && b.op._tag === 'Op' && a.op.name === b.op.name;
  return (
    isSameOperator &&
    JSON.stringify(a.attrs ?? {}) === JSON.stringify(b.attrs ?? {}) &&
    a.args.every((arg, i) => areSame(arg, b.args[i]))
  );
}

const areSame = (a: Expr, b: Expr | undefined): boolean =>
  a === b || (a._tag === 'Constant' && b?._tag === 'Constant' && tensorsEqual(a.data, b.data));

const bytesOf = (value: OpValue): number => byteCount(typeOfValue(value));

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0);

/** The value of a call such as `shape_of(e)`, which depends only on the type of `e`. */
function foldedByType(
  { m, evaluate, count }: Folding,
  node: Call,
  name: string,
  get: (node: Expr) => Expr,
): Expr | undefined {
  const [arg] = node.args;
  const type = arg && (typeOf(m, get(arg)) ?? typeOf(m, arg));
  const known = type && staticTensor(type);
  if (arg === undefined || known === undefined || isStateful(m, get(arg))) return undefined;
  const value = evaluate(m.ops, node, [splat(known.shape, known.dtype, 0)]);
  if (isLeft(value)) return undefined;
  count(operatorCounter(name));
  return toExpr(value.right, mergeSpans(node.span, arg.span));
}

function toExpr(value: OpValue, span: Span | undefined): Expr | undefined {
  if (isTensor(value)) return constant(value, span);
  const fields = value.map((field) => (isTensor(field) ? constant(field, span) : undefined));
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? tuple(known, span) : undefined;
}

/** The origins of the value. */
function foldedSpan(node: Call, get: (node: Expr) => Expr): Span | undefined {
  let span = node.span;
  for (const arg of node.args) {
    const result = get(arg);
    // Spans are merged one at a time: a literal tuple may have very many fields.
    const parts = result._tag === 'Tuple' ? [result, ...result.fields] : [result];
    for (const part of parts) span = mergeSpans(span, part.span);
  }
  return span;
}
