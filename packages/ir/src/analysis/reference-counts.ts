/** The number of uses of nodes. */
import { children } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';

/**
 * The number of uses of each node: one for every place in a parent, and one for being a root. `order`
 * holds the nodes whose uses count.
 *
 * **Complexity** linear in nodes and edges.
 */
export function referenceCounts(
  roots: ReadonlyArray<Expr>,
  order: ReadonlyArray<Expr> = postOrderExprs(roots),
): Map<Expr, number> {
  const counts = new Map<Expr, number>();
  const use = (node: Expr): void => {
    counts.set(node, (counts.get(node) ?? 0) + 1);
  };
  for (const root of roots) use(root);
  for (const node of order) for (const child of children(node)) use(child);
  return counts;
}
