/** Bindings that only name a value, and bindings whose value is not used. */
import {
  type Call,
  copyExpr,
  type Expr,
  encloses,
  type Func,
  type IRModule,
  isContextual,
  isStateful,
  isTotal,
  type Let,
  letIn,
  mapTyped,
  type NodeScopes,
  nodeScopes,
  opensBlock,
  postOrderExprs,
  referenceCounts,
  replaceTypeVars,
  type Scope,
  type TypeArg,
  type TypeArgs,
  typeArgsOf,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import {
  isOpaque,
  type LiveUses,
  liveUses,
  rewriteFunc,
  visibleIn,
  withTypeOf,
} from '@baton/pass-manager';
import { isCompileTime } from '../match/fold.ts';
import { isEverywhere } from './language.ts';
import { saysMore } from './region.ts';

/**
 * The function without the bindings that are not used, but for values that must stay. Values of others
 * stand in the places of their names, and parameters are bound where a literal is called, so that what
 * is evaluated together is one graph. A value goes to its uses if it is total, or used once. A value
 * that a name hands to a function inside stays bound, since in its place it would be computed at each
 * call: unless a compiler computes it, or it is a function itself.
 *
 * **Complexity** O(log depth) an edge, for each function that a called function returns, up to 100.
 */
export function withoutNames(
  f: Func,
  m: IRModule,
  mustStay: (value: Expr) => boolean = (value) => isStateful(m, value),
): Func {
  let made = f;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = withBoundCalls(withValues(made, m, mustStay), m);
    if (next === made) break;
    made = next;
  }
  return made;
}

/** The most rounds in which calls of literals become names. */
const MAX_ROUNDS = 100;

function withValues(f: Func, m: IRModule, mustStay: (value: Expr) => boolean): Func {
  const { order, captured, isKept } = visibleIn(f.body, m);
  const uses = liveUses(f.body, mustStay, isKept);
  const lets = order.filter((node): node is Let => node._tag === 'Let');
  const isDead = (node: Let): boolean => !uses.isKept(node);
  // A function that may call itself mentions its variable before it ends.
  const ends = new Map(order.map((node, i) => [node, i]));
  const isRecursive = ({ variable: name, value }: Let): boolean =>
    (ends.get(name) ?? order.length) < (ends.get(value) ?? 0);
  const names = lets.filter((node) => !isDead(node) && isName(node, m, uses) && !isRecursive(node));
  const named = new Set<Expr>(lets.filter(isDead));
  for (const node of names) if (!captured.has(node.variable)) named.add(node);
  // The scopes as they are without these bindings.
  const scopes = nodeScopes(f.body, (node, index) =>
    node._tag === 'Let' ? index > 0 && !named.has(node) : opensBlock(node, index),
  );
  const functionOf = functionsOf(scopes);
  const values = new Map<Var, Expr>();
  for (const node of names) {
    const isUsedHere =
      node.value._tag === 'Function' ||
      functionOf(scopes.scopeOf(node.variable)) === functionOf(scopes.scopeOf(node));
    const isKnown = isCompileTime(m, node.value);
    // What a kernel takes stays bound for it.
    if (isKnown || (isUsedHere && named.has(node))) values.set(node.variable, node.value);
  }
  if (named.size === 0 && values.size === 0) return f;
  return rewriteFunc(f, m, (node, get) => {
    if (node._tag === 'Let') {
      const isLeftOut = named.has(node) && (isDead(node) || values.has(node.variable));
      return isLeftOut ? get(node.body) : mapTyped(m, node, get);
    }
    const value = node._tag === 'Var' ? values.get(node) : undefined;
    return value === undefined ? mapTyped(m, node, get) : get(value);
  });
}

/** Whether a binding only names its value, which may stand where the name is used. */
function isName({ value, variable: name }: Let, m: IRModule, uses: LiveUses): boolean {
  const isCopied = value._tag !== 'Function' && isTotal(m, value);
  if (!isCopied && (uses.count(name) !== 1 || isStateful(m, value))) return false;
  const [own, seen] = [typeOf(m, value), typeOf(m, name)];
  const isSame = own !== undefined && seen !== undefined && typeEqual(own, seen);
  return isSame && !isContextual(m, value);
}

/**
 * The function with calls of literals that are used once as bindings of their parameters:
 * `(fn (%p) { e })(%x)` is `let %p = %x; e`.
 */
function withBoundCalls(f: Func, m: IRModule): Func {
  const { order } = visibleIn(f.body, m);
  const calls = order.filter(isLiteralCall);
  if (calls.length === 0) return f;
  const counts = referenceCounts([f.body], order);
  const scopes = nodeScopes(f.body);
  const bound = new Map<Expr, TypeArgs>();
  for (const node of calls) {
    if (counts.get(node.op) !== 1 || isOpaque(node.op)) continue;
    const types = typeArgsAt(m, node.op, node);
    if (types === undefined || (types.size > 0 && !isClosedIn(node.op, scopes))) continue;
    bound.set(node, types);
  }
  if (bound.size === 0) return f;
  return rewriteFunc(f, m, (node, get) => {
    const types = bound.get(node);
    return types && boundCall(node as LiteralCall, types, m, get);
  });
}

type LiteralCall = Call & { readonly op: Func };

const isLiteralCall = (node: Expr): node is LiteralCall =>
  node._tag === 'Call' && node.op._tag === 'Function';

/**
 * The arguments for the type parameters of a function at a call, if they are known. Each argument has
 * the type that its parameter has with them: a type parameter checks no sizes.
 */
export function typeArgsAt(m: IRModule, f: Func, at: Call): TypeArgs | undefined {
  if (f.typeParams.length === 0) return new Map();
  const found = typeArgsOf(m, at);
  if (found === undefined) return undefined;
  const types = new Map(f.typeParams.map((v, i) => [v, found[i] as TypeArg]));
  const { type: typed } = replaceTypeVars(types);
  const isGiven = ({ typeAnnotation }: Var, i: number): boolean => {
    const type = typeOf(m, at.args[i] as Expr);
    return (
      typeAnnotation !== undefined && type !== undefined && typeEqual(type, typed(typeAnnotation))
    );
  };
  return f.params.every(isGiven) ? types : undefined;
}

/** Whether all that a function computes with is its own. */
function isClosedIn({ body }: Func, { scopeOf }: NodeScopes): boolean {
  const own = scopeOf(body);
  return postOrderExprs([body]).every((node) => {
    const scope = scopeOf(node);
    return isEverywhere(node) || (own !== undefined && scope !== undefined && encloses(own, scope));
  });
}

/** A call of a literal as bindings of its parameters, in the order of its arguments. */
function boundCall(
  node: LiteralCall,
  types: TypeArgs,
  m: IRModule,
  get: (node: Expr) => Expr,
): Expr {
  const { op, args, span } = node;
  const { type: typed } = replaceTypeVars(types);
  const isGeneric = types.size > 0;
  const params = op.params.map((param) => {
    const type = param.typeAnnotation;
    return isGeneric ? variable(param.nameHint, type && typed(type), param.span) : param;
  });
  const values = new Map(op.params.map((param, i) => [param, params[i] as Var]));
  const body = isGeneric ? copyExpr(get(op.body), { values, types }) : get(op.body);
  return params.reduceRight<Expr>(
    (rest, param, i) => letIn(param, get(args[i] as Expr), rest, span),
    inPlaceOf(node, body, { m, tellsMore: false }),
  );
}

/** Where an expression gets another place. */
interface Place {
  readonly m: IRModule;
  /** Whether the place may tell more of its type and value than it did. */
  readonly tellsMore: boolean;
}

/**
 * An expression in the place of another one: bound to a variable of its type, unless the types are
 * equal, or the place may tell more.
 */
export function inPlaceOf(was: Expr, made: Expr, { m, tellsMore }: Place): Expr {
  const [type, own] = [typeOf(m, was), typeOf(m, made)];
  const isKnown = type !== undefined && own !== undefined && !isContextual(m, made);
  const fits = isKnown && (typeEqual(own, type) || (tellsMore && saysMore(own, type)));
  return fits ? made : withTypeOf(m, was, made);
}

/** The function inside which a scope lies. */
function functionsOf({ placeOf, scopeOf }: NodeScopes): (scope: Scope | undefined) => unknown {
  const known = new Map<Scope, Expr | undefined>();
  return (scope) => {
    const passed: Scope[] = [];
    let found: Expr | undefined;
    for (let at = scope; at !== undefined; ) {
      if (known.has(at)) {
        found = known.get(at);
        break;
      }
      passed.push(at);
      const node: Expr | undefined = placeOf(at)?.node;
      if (node === undefined || node._tag === 'Function') {
        found = node;
        break;
      }
      at = scopeOf(node);
    }
    for (const inner of passed) known.set(inner, found);
    return found;
  };
}
