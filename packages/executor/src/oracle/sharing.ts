/**
 * [language §7](https://batonjs.github.io/baton/spec/language#7), DAG sharing: a node has one value
 * in each activation of the innermost function around all its uses.
 */
import {
  children,
  commonScope,
  type Expr,
  type Func,
  innerScope,
  postOrderExprs,
  rootScope,
  type Scope,
  sortOf,
} from '@baton/ir';
import { type FunctionNames, functionNames } from '../function-names.ts';

/** The facts about the nodes of a global function. */
export interface Sharing extends FunctionNames {
  /** The function in whose activations a node has its value. */
  readonly homeOf: (node: Expr) => Func;
  readonly isUsed: (node: Expr) => boolean;
  readonly isShared: (node: Expr) => boolean;
  /** Whether some uses are in functions inside the home. */
  readonly isCaptured: (node: Expr) => boolean;
}

/** The sharing in a global function. **Complexity** O(log depth) an edge. */
export function sharingIn(root: Func): Sharing {
  const scopes = new Map<Expr, Scope>();
  const functions = new Map<Scope, Func>();
  const shared = new Set<Expr>();
  const captured = new Set<Expr>();
  const use = (node: Expr, scope: Scope): void => {
    const known = scopes.get(node);
    if (known !== undefined && sortOf(node) === 'compound') shared.add(node);
    if (known !== undefined && known !== scope) captured.add(node);
    scopes.set(node, known === undefined ? scope : (commonScope(known, scope) ?? scope));
  };

  const start = rootScope();
  functions.set(start, root);
  use(root.body, start);
  const order = postOrderExprs([root.body]);
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const home = scopes.get(node) ?? start;
    const inside = node._tag === 'Function' ? innerScope(home) : home;
    if (node._tag === 'Function') functions.set(inside, node);
    for (const child of children(node)) use(child, inside);
  }
  return {
    homeOf: (node) => functions.get(scopes.get(node) ?? start) ?? root,
    isUsed: (node) => scopes.has(node),
    isShared: (node) => shared.has(node),
    isCaptured: (node) => captured.has(node),
    ...functionNames(order),
  };
}
