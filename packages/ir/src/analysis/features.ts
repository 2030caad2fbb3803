/** The kinds of nodes in a program. */
import { type Analysis, analysis } from '@baton/base';
import { children } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';
import { referenceCounts } from './reference-counts.ts';

export type Feature =
  | Expr['_tag']
  /** A node other than an atom has several uses. */
  | 'Graph';

/** The features of an expression. **Complexity** linear in nodes and edges. */
export const detectFeatures: Analysis<Expr, ReadonlySet<Feature>> = analysis((expr) => {
  const found = new Set<Feature>();
  const counts = referenceCounts([expr]);
  for (const node of postOrderExprs([expr])) {
    found.add(node._tag);
    if (children(node).length > 0 && (counts.get(node) ?? 0) > 1) found.add('Graph');
  }
  return found;
});
