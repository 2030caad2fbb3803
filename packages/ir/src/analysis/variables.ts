/** The variables that an expression binds, and its free ones. */
import { binders } from '../expr/children.ts';
import type { Expr, Var } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';

/**
 * The free variables of an expression, in order of first use. The expression is well-formed: no
 * variable is bound twice or used beyond its scope.
 *
 * **Complexity** linear in the nodes.
 */
export function freeVars(expr: Expr): ReadonlyArray<Var> {
  const order = postOrderExprs([expr]);
  const bound = new Set(order.flatMap(binders));
  return order.filter((node): node is Var => node._tag === 'Var' && !bound.has(node));
}

/** The variables that an expression binds: parameters, let variables, variables of patterns. */
export function boundVars(expr: Expr): ReadonlyArray<Var> {
  // Outer binders come first, as they are written first.
  return [...new Set(outerFirst(expr).flatMap(binders))];
}

/** The variables that an expression binds or uses. */
export const allVars = (expr: Expr): ReadonlyArray<Var> => [
  ...new Set([...boundVars(expr), ...freeVars(expr)]),
];

const outerFirst = (expr: Expr): ReadonlyArray<Expr> => [...postOrderExprs([expr])].reverse();
