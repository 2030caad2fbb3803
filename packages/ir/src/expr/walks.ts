/** Walks through expressions, stack-safe and linear in shared nodes. */
import { childAt, children, mapChildren } from './children.ts';
import type { Expr } from './expr.ts';

/**
 * Every node of an expression, children first, each once: like `postOrder`, but without a list of
 * children for each node.
 *
 * **Complexity** linear in nodes and edges.
 */
export function postOrderExprs(
  roots: ReadonlyArray<Expr>,
  skip?: (expr: Expr) => boolean,
): ReadonlyArray<Expr> {
  const [root] = roots;
  const isWhole = skip === undefined && roots.length === 1 && root !== undefined;
  const known = isWhole ? recentOrders.get(root) : undefined;
  if (known !== undefined) return known;
  const order: Expr[] = [];
  const seen = new Set<Expr>();
  const enter = (expr: Expr): boolean => {
    if (seen.has(expr) || skip?.(expr) === true) return false;
    seen.add(expr);
    return true;
  };
  for (const one of roots) walkExpr(one, enter, (expr) => order.push(expr));
  if (isWhole && order.length >= LONG) keepOrder(root, order);
  return order;
}

/** The orders of a few long expressions: passes need the order of one function repeatedly. */
const recentOrders = new WeakMap<Expr, ReadonlyArray<Expr>>();
const recentRoots: WeakRef<Expr>[] = [];

/** The number of orders that are kept, and the nodes from which on an order is. */
const KEPT = 4;
const LONG = 256;

/** Keeps an order instead of the oldest one. */
function keepOrder(root: Expr, order: ReadonlyArray<Expr>): void {
  const oldest = recentRoots.length === KEPT ? recentRoots.shift()?.deref() : undefined;
  if (oldest !== undefined) recentOrders.delete(oldest);
  recentRoots.push(new WeakRef(root));
  recentOrders.set(root, order);
}

/**
 * Walks through an expression from left to right: `enter` decides at each mention whether to go
 * into the node, and `leave` sees the node after everything below it.
 *
 * **Complexity** linear in the entered nodes and their edges.
 */
export function walkExpr(
  root: Expr,
  enter: (expr: Expr) => boolean,
  leave: (expr: Expr) => void,
): void {
  if (!enter(root)) return;
  const open: Expr[] = [root];
  const positions: number[] = [0];
  for (let top = 0; top >= 0; top = open.length - 1) {
    const expr = open[top] as Expr;
    const at = positions[top] as number;
    const child = childAt(expr, at);
    if (child === undefined) {
      leave(expr);
      open.pop();
      positions.pop();
      continue;
    }
    positions[top] = at + 1;
    if (!enter(child)) continue;
    open.push(child);
    positions.push(0);
  }
}

/** The replacement of a node, given those of others by `get`; `undefined` maps its children. */
export type Step = (node: Expr, get: (other: Expr) => Expr) => Expr | undefined;

/**
 * The values of nodes: `step` sees each node once, in the order given, and `get` has the earlier
 * values.
 *
 * **Complexity** one step for each node.
 */
export function foldExpr<A>(
  order: ReadonlyArray<Expr>,
  step: (node: Expr, get: (other: Expr) => A | undefined) => A,
): ReadonlyMap<Expr, A> {
  const values = new Map<Expr, A>();
  const get = (node: Expr): A | undefined => values.get(node);
  for (const node of order) values.set(node, step(node, get));
  return values;
}

/**
 * The expression with its nodes rewritten by `step`, from the leaves up; the same object if nothing
 * changes. A shared node is seen once and stays shared. `order` lists the nodes to see, each after
 * the nodes that it mentions; all others stay.
 *
 * A `step` that asks only for the parts of its node may be given the `uses` of the nodes, which are taken
 * out as they are met: a result is dropped after its last use.
 *
 * **Complexity** one step for each node.
 */
export function rewriteExpr(
  root: Expr,
  step: Step,
  order: ReadonlyArray<Expr> = postOrderExprs([root]),
  uses?: Map<Expr, number>,
): Expr {
  const results = new Map<Expr, Expr>();
  const drop = (part: Expr): void => {
    const left = (uses?.get(part) ?? 0) - 1;
    if (left > 0) uses?.set(part, left);
    else {
      uses?.delete(part);
      results.delete(part);
    }
  };
  const get = (node: Expr): Expr => results.get(node) ?? node;
  for (const node of order) {
    const result = step(node, get) ?? mapChildren(node, get);
    if (result !== node) results.set(node, result);
    if (uses !== undefined) children(node).forEach(drop);
  }
  return get(root);
}
