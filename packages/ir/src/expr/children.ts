/** Generic access to the expressions below an expression, for every kind of node. */
import { childAt } from './access.ts';
import type { Expr } from './expr.ts';
import { exprGrammar } from './grammar.ts';

export { binders, childAt, children, sortOf, withChildren } from './access.ts';
export { patternVars, withPatternVars } from './patterns.ts';

/** Whether a value is an expression: for what a program without types is given. */
export const isExpr = (value: unknown): value is Expr =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  typeof value._tag === 'string' &&
  Object.hasOwn(exprGrammar, value._tag);

/**
 * Every node of an expression, children first, each once: as `postOrder`, but without a list of
 * children for each node.
 *
 * **Complexity** linear in nodes and edges.
 */
export function postOrderExprs(
  roots: ReadonlyArray<Expr>,
  skip: (expr: Expr) => boolean = () => false,
): ReadonlyArray<Expr> {
  const order: Expr[] = [];
  const seen = new Set<Expr>();
  const enter = (expr: Expr): boolean => {
    if (seen.has(expr) || skip(expr)) return false;
    seen.add(expr);
    return true;
  };
  for (const root of roots) walkExpr(root, enter, (expr) => order.push(expr));
  return order;
}

/**
 * Goes through an expression from left to right: `enter` is asked at each mention whether to go
 * into the node, and `leave` sees the node after everything below it.
 *
 * **Complexity** linear in the nodes that are entered and their edges.
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
