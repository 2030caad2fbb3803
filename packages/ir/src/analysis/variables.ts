/** The variables that an expression binds, and its free ones. */
import { type Analysis, analysis } from '@baton/base';
import { binders } from '../expr/children.ts';
import type { Expr, Func, Var } from '../expr/expr.ts';
import { postOrderExprs, walkExpr } from '../expr/walks.ts';

/**
 * The free variables of an expression, in order of first use. The expression is well-formed: no
 * variable is bound twice or used beyond its scope.
 *
 * **Complexity** linear in the nodes. Those of a function are found once, and a walk does not go
 * into functions whose variables are known: asked from the inside out, nested functions take time
 * linear in their nodes and free variables together.
 */
export const freeVars = (expr: Expr): ReadonlyArray<Var> =>
  expr._tag === 'Function' ? freeVarsOfFunction(expr) : freeIn(expr);

export const freeVarsOfFunction: Analysis<Func, ReadonlyArray<Var>> = analysis((f) => freeIn(f));

function freeIn(root: Expr): ReadonlyArray<Var> {
  const bound = new Set<Var>();
  const used = new Set<Var>();
  const seen = new Set<Expr>();
  const enter = (node: Expr): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    if (node._tag !== 'Function' || node === root || !freeVarsOfFunction.isKnown(node)) return true;
    for (const v of freeVarsOfFunction(node)) used.add(v);
    return false;
  };
  walkExpr(root, enter, (node) => {
    if (node._tag === 'Var') used.add(node);
    else for (const v of binders(node)) bound.add(v);
  });
  return [...used].filter((v) => !bound.has(v));
}

/** The variables that an expression binds: parameters, let variables, variables of patterns. */
export const boundVars = (expr: Expr): ReadonlyArray<Var> =>
  expr._tag === 'Function' ? boundVarsOfFunction(expr) : boundIn(expr);

export const boundVarsOfFunction: Analysis<Func, ReadonlyArray<Var>> = analysis((f) => boundIn(f));

/** Outer binders come first, as they are written first. */
const boundIn = (expr: Expr): ReadonlyArray<Var> => [
  ...new Set([...postOrderExprs([expr])].reverse().flatMap(binders)),
];

export const allVars = (expr: Expr): ReadonlyArray<Var> => [
  ...new Set([...boundVars(expr), ...freeVars(expr)]),
];
