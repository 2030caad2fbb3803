/** Bindings that only name a value, and bindings whose value is not used. */
import {
  type Expr,
  type Func,
  type IRModule,
  isStateful,
  isTotal,
  type Let,
  mapTyped,
  type NodeScopes,
  nodeScopes,
  opensBlock,
  type Scope,
  typeEqual,
  typeOf,
  type Var,
} from '@baton/ir';
import { liveUses, rewriteFunc, visibleIn } from '@baton/pass-manager';
import { isCompileTime } from '../match/fold.ts';

/**
 * The function without the bindings whose value is neither used nor stateful, and with the values of
 * total bindings in the places of their names, so that what is evaluated together is one graph. A
 * value that a name hands to a function inside stays bound, unless a compiler computes it: in its
 * place it would be computed at each call.
 *
 * **Complexity** O(log depth) an edge.
 */
export function withoutNames(f: Func, m: IRModule): Func {
  const { order, captured, isKept } = visibleIn(f.body, m);
  const uses = liveUses(f.body, (value) => isStateful(m, value), isKept);
  const isDead = (node: Expr): boolean => node._tag === 'Let' && !uses.isKept(node);
  const lets = order.filter((node) => isName(node, m) && !captured.has((node as Let).variable));
  const named = new Set([...lets, ...order.filter(isDead)]);
  if (named.size === 0) return f;
  // The scopes as they are without these bindings.
  const scopes = nodeScopes(f.body, (node, index) =>
    node._tag === 'Let' ? index > 0 && !named.has(node) : opensBlock(node, index),
  );
  const functionOf = functionsOf(scopes);
  const values = new Map<Var, Expr>();
  for (const node of lets as ReadonlyArray<Let>) {
    const isUsedHere =
      functionOf(scopes.scopeOf(node.variable)) === functionOf(scopes.scopeOf(node));
    if (isUsedHere || isCompileTime(m, node.value)) values.set(node.variable, node.value);
  }
  return rewriteFunc(f, m, (node, get) => {
    if (node._tag === 'Let' && (isDead(node) || values.has(node.variable))) return get(node.body);
    const value = node._tag === 'Var' ? values.get(node) : undefined;
    return value === undefined ? mapTyped(m, node, get) : get(value);
  });
}

/** Whether a binding only names its value. */
function isName(node: Expr, m: IRModule): boolean {
  if (node._tag !== 'Let' || node.value._tag === 'Function' || !isTotal(m, node.value))
    return false;
  const [own, seen] = [typeOf(m, node.value), typeOf(m, node.variable)];
  return own !== undefined && seen !== undefined && typeEqual(own, seen);
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
