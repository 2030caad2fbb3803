import { children } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';
import { referenceCounts } from './reference-counts.ts';

/** What occurs in a program: a kind of node, or sharing. */
export type Feature =
  | Expr['_tag']
  /** A node that is not an atom is used more than once. */
  | 'Graph';

/** What occurs in an expression. **Complexity** linear in nodes and edges. */
export function detectFeatures(expr: Expr): ReadonlySet<Feature> {
  const found = new Set<Feature>();
  const counts = referenceCounts([expr]);
  for (const node of postOrderExprs([expr])) {
    found.add(node._tag);
    if (children(node).length > 0 && (counts.get(node) ?? 0) > 1) found.add('Graph');
  }
  return found;
}
