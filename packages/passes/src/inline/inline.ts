/**
 * Inline: replaces calls of marked functions by their bodies.
 * [passes §3](https://batonjs.github.io/baton/spec/passes#3).
 */
import { aLimit, mergeSpans, right } from '@baton/base';
import {
  type Call,
  callGraph,
  call as callOf,
  copyExpr,
  copyFunction,
  type Expr,
  type Func,
  type GlobalVar,
  type IRModule,
  isStateful,
  isTotal,
  letIn,
  mapChildren,
  namedGlobals,
  postOrderExprs,
  replaceTypeVars,
  type Step,
  type Type,
  type TypeArg,
  type TypeVar,
  typeArgsOf,
  typeEqual,
  typeOf,
  type Var,
  variable,
  withChildren,
  withFunctions,
} from '@baton/ir';
import {
  type Count,
  isOpaque,
  type MustKeep,
  pass,
  placesOfParams,
  type RunningContext,
  refined,
  rewriteFunc,
  withBody,
  withTypeOf,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';

/** The most new nodes of any program: calls beyond it stay. */
export const MAX_INLINED_NODES = 1_000_000;

export interface InlineOptions {
  /**
   * The most nodes that it makes. Default: `limits.nodes` of the context, which follows from the size of
   * the program, at most {@link MAX_INLINED_NODES}.
   */
  readonly maxNodes?: number;
}

const ENTRY = 'main';

const COUNTERS = [
  'call',
  'bound argument',
  'function as a value',
  'foreign function',
  'kept: recursive',
  'kept: calls others',
  'kept: type arguments',
  'kept: size',
] as const;
type Counter = (typeof COUNTERS)[number];

/**
 * Replaces calls of functions marked `Inline=1` by the functions' bodies:
 *
 * ```
 * def @g(%a: int32, Inline=1) -> int32 { %a + 1 }    def @main(%x: int32) { @g(%x) * 2 }
 * =>
 * def @main(%x: int32) { (%x + 1) * 2 }
 * ```
 *
 * Callees come first. A function is inlined if it is not recursive and names no other function any
 * more. Each copy has binders of its own. An argument stands where its parameter stood; one that is
 * stateful, or that would be computed by each call of a function inside, is bound in front. A
 * function that is compiled elsewhere, and a kernel, is called as a literal; a function that is used
 * as a value becomes a literal. Functions that are not named any more go, but for `main` and those
 * that nothing named in the first place.
 *
 * **Complexity** linear in the nodes of the module and those that it makes, at most `maxNodes`.
 */
export const inline: ConfigurablePass<InlineOptions> = configurable(
  { maxNodes: aLimit },
  ({ maxNodes }) =>
    pass({
      name: 'InlineGlobals',
      doc: 'Inlines calls of functions marked Inline.',
      level: 1,
      counters: COUNTERS,
      run: (m, context) => right(inlineCalls(m, maxNodes ?? mostNodes(context), context.count)),
    }),
);

const mostNodes = ({ budget, limits }: Pick<RunningContext, 'budget' | 'limits'>): number =>
  limits.nodes ?? Math.min(budget.left('nodes'), MAX_INLINED_NODES);

function inlineCalls(m: IRModule, maxNodes: number, count: Count<Counter>): IRModule {
  const graph = callGraph(m.functions);
  const functions = new Map(m.functions);
  const inlinable = new Map<string, Callee>();
  const budget = { left: maxNodes };
  for (const name of graph.groups.flat()) {
    const old = m.functions.get(name);
    if (old === undefined) continue;
    const f = isOpaque(old) ? old : inlined(old, { m, inlinable, budget, count });
    functions.set(name, f);
    if (!isMarked(f) || isSkippedAsCallee(f)) continue;
    if (graph.recursive.has(name)) count('kept: recursive');
    else if (namedGlobals(f).size > 0) count('kept: calls others');
    else inlinable.set(name, calleeOf(m, f, old));
  }
  const named = new Set([...functions.values()].flatMap((f) => [...namedGlobals(f)]));
  const isGone = (name: string): boolean =>
    inlinable.has(name) &&
    name !== ENTRY &&
    !named.has(name) &&
    (graph.callers.get(name) ?? []).length > 0;
  return withFunctions(m, new Map([...functions].filter(([name]) => !isGone(name))));
}

interface Callee {
  readonly f: Func;
  /** The number of nodes of a copy. */
  readonly size: number;
  /** For each parameter, whether only an inner function computes with it. */
  readonly isInside: ReadonlyArray<boolean>;
  /** The type of the body, if it differs from the one that callers see. */
  readonly result: Type | undefined;
}

interface Inlining {
  readonly m: IRModule;
  readonly inlinable: ReadonlyMap<string, Callee>;
  readonly budget: { left: number };
  readonly count: Count<Counter>;
}

/** The budget of a refused attempt is free for the next. */
function inlined(f: Func, inlining: Inlining): Func {
  const { m, budget } = inlining;
  const { left } = budget;
  return refined(f, m, inlining.count, (mustKeep, count) => {
    budget.left = left;
    return inlineInto(f, { ...inlining, mustKeep, count });
  });
}

interface InliningInto extends Inlining {
  readonly mustKeep: MustKeep;
}

const isMarked = (f: Func): boolean =>
  f.attrs.Inline !== undefined && f.attrs.Inline !== 0 && f.attrs.Inline !== false;

/** Whether the function must not be optimized: a copy would be optimized with its caller. */
const isSkippedAsCallee = (f: Func): boolean =>
  f.attrs.SkipOptimization !== undefined && f.attrs.SkipOptimization !== 0;

function calleeOf(m: IRModule, f: Func, old: Func): Callee {
  const found = typeOf(m, old.body);
  const isSeen = f.retType === undefined || found === undefined || typeEqual(f.retType, found);
  return {
    f,
    size: postOrderExprs([f]).length,
    isInside: placesOfParams(f),
    result: isSeen ? undefined : f.retType,
  };
}

function inlineInto(f: Func, inlining: InliningInto): Func {
  const { m, inlinable } = inlining;
  // A name is a value except as a callee.
  const operand = (child: Expr, get: (node: Expr) => Expr): Expr =>
    child._tag === 'GlobalVar' ? asValue(child, inlining) : get(child);
  const step: Step = (node, get) => {
    const isNamed = node._tag === 'Call' && node.op._tag === 'GlobalVar';
    const callee = isNamed ? inlinable.get(node.op.nameHint) : undefined;
    if (node._tag !== 'Call' || callee === undefined) {
      return mapChildren(node, (child) => operand(child, get));
    }
    const args = node.args.map((arg) => operand(arg, get));
    return inlinedCall(node, args, callee, inlining) ?? withChildren(node, [...args, node.op]);
  };
  // The result may be a name, too.
  const { body } = f;
  return body._tag === 'GlobalVar' ? withBody(f, asValue(body, inlining)) : rewriteFunc(f, m, step);
}

/** A name as a function literal, if it may be one. */
function asValue(name: GlobalVar, inlining: InliningInto): Expr {
  const callee = inlining.inlinable.get(name.nameHint);
  if (callee === undefined) return name;
  const isPolymorphic = callee.f.typeParams.length > 0;
  if (isPolymorphic) inlining.count('kept: type arguments');
  if (isPolymorphic || !isPaid(callee, inlining)) return name;
  inlining.count('function as a value');
  return copyFunction(callee.f);
}

/** The inlined call with its rewritten arguments; `undefined` if it stays a call. */
function inlinedCall(
  node: Call,
  args: ReadonlyArray<Expr>,
  callee: Callee,
  inlining: InliningInto,
): Expr | undefined {
  const { m, count } = inlining;
  if (args.length !== callee.f.params.length) return undefined;
  const isForeign = isOpaque(callee.f);
  const typeArgs = isForeign ? undefined : typeArgsAt(m, callee.f, node);
  if (!isForeign && typeArgs === undefined) {
    count('kept: type arguments');
    return undefined;
  }
  if (!isPaid(callee, inlining)) return undefined;
  count(isForeign ? 'foreign function' : 'call');
  return typeArgs === undefined
    ? callOf(copyFunction(callee.f), args, node)
    : expand(node, args, callee, typeArgs, inlining);
}

/** Whether a copy is within the budget, which is then reduced. */
function isPaid({ size }: Callee, { budget, count }: InliningInto): boolean {
  const hasRoom = size <= budget.left;
  if (hasRoom) budget.left -= size;
  else count('kept: size');
  return hasRoom;
}

function typeArgsAt(m: IRModule, f: Func, at: Call): ReadonlyMap<TypeVar, TypeArg> | undefined {
  if (f.typeParams.length === 0) return new Map();
  const found = typeArgsOf(m, at);
  return found && new Map(f.typeParams.map((v, i) => [v, found[i] as TypeArg]));
}

/** The body of the callee with the arguments of the call. */
function expand(
  at: Call,
  args: ReadonlyArray<Expr>,
  callee: Callee,
  typeArgs: Parameters<typeof replaceTypeVars>[0],
  { m, mustKeep, count }: InliningInto,
): Expr {
  const { f, isInside, result } = callee;
  const types = replaceTypeVars(typeArgs);
  const values = new Map<Var, Expr>();
  const bindings: { readonly variable: Var; readonly value: Expr }[] = [];
  f.params.forEach((param, i) => {
    const value = args[i] as Expr;
    const original = at.args[i] as Expr;
    const annotation = param.typeAnnotation;
    const type = annotation === undefined ? undefined : types.type(annotation);
    const bound = variable(param.nameHint, type, param.span);
    if (mustBind(original, type, isInside[i] === true, m) || mustKeep(bound, value)) {
      count('bound argument');
      bindings.push({ variable: bound, value });
      values.set(param, bound);
    } else values.set(param, value);
  });
  const body = copyExpr(f.body, { values, types: typeArgs });
  const span = mergeSpans(at.span, f.body.span);
  const made = result === undefined ? body : withType(body, types.type(result));
  const whole = bindings.reduceRight<Expr>(
    (rest, { variable: bound, value }) => letIn(bound, value, rest, span),
    made,
  );
  return mustKeep(at, whole) ? withTypeOf(m, at, whole) : whole;
}

/** Whether an argument has to be computed once, in front of the body. */
function mustBind(arg: Expr, type: Type | undefined, isInside: boolean, m: IRModule): boolean {
  if (isStateful(m, arg)) return true;
  const found = typeOf(m, arg);
  // A parameter's type may say more than the argument's: a size that the call checks.
  if (type !== undefined && found !== undefined && !typeEqual(type, found)) return true;
  const isValue = arg._tag === 'Var' || arg._tag === 'Constant' || arg._tag === 'GlobalVar';
  return isInside && !isValue && !(arg._tag === 'Function' && isTotal(m, arg));
}

/** The value seen with another type than its own. */
function withType(value: Expr, type: Type): Expr {
  const seen = variable('result', type);
  return letIn(seen, value, seen, value.span);
}
