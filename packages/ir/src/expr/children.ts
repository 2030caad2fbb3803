/** Generic access to the expressions below an expression, for every kind of node. */
import type { Expr } from './expr.ts';
import { exprGrammar } from './grammar.ts';
import { mapParts } from './map-parts.ts';

export { binders, childAt, children, sortOf } from './access.ts';
export { mapParts } from './map-parts.ts';
export { patternVars } from './patterns.ts';

/** Whether a value is an expression: JavaScript programs may pass anything. */
export const isExpr = (value: unknown): value is Expr =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  typeof value._tag === 'string' &&
  Object.hasOwn(exprGrammar, value._tag);

/** The node with its children mapped by `next`; the node itself if they are the same. */
export const mapChildren = (expr: Expr, next: (child: Expr) => Expr): Expr =>
  mapParts(expr, { child: next });

/** The node with other children, given in the order of {@link children}; itself if they are the same. */
export function withChildren(expr: Expr, next: ReadonlyArray<Expr>): Expr {
  let at = 0;
  return mapChildren(expr, () => next[at++] as Expr);
}
