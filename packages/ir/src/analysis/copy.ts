/** Copies of functions that share no binder with the original. */
import { binders, mapParts, sortOf } from '../expr/children.ts';
import { variable } from '../expr/construct.ts';
import type { Expr, Func, Var } from '../expr/expr.ts';
import { postOrderExprs, rewriteExpr } from '../expr/walks.ts';
import { replaceTypeVars, varArg } from '../types/instantiate.ts';
import type { TypeArg } from '../types/type.ts';
import { type TypeVar, typeVar } from '../types/variable.ts';

export interface Substitution {
  readonly values: ReadonlyMap<Var, Expr>;
  readonly types: ReadonlyMap<TypeVar, TypeArg>;
}

/**
 * A copy of an expression: every variable and type parameter that it binds is new, and so is every
 * node except names and constants; sharing is kept within the copy.
 *
 * **Complexity** linear in the nodes.
 */
export function copyExpr(expr: Expr, { values, types }: Substitution): Expr {
  const order = postOrderExprs([expr]);
  const typeParams = new Map<TypeVar, TypeVar>();
  for (const node of order) {
    if (node._tag !== 'Function') continue;
    for (const v of node.typeParams) typeParams.set(v, typeVar(v.nameHint, v.kind));
  }
  const typed = replaceTypeVars(
    new Map([...types, ...[...typeParams].map(([v, made]) => [v, varArg(made)] as const)]),
  );
  const variables = new Map<Var, Var>();
  for (const v of order.flatMap(binders)) {
    const type = v.typeAnnotation && typed.type(v.typeAnnotation);
    variables.set(v, variable(v.nameHint, type, v.span));
  }
  const parts = {
    binder: (v: Var) => variables.get(v) ?? v,
    typeBinder: (v: TypeVar) => typeParams.get(v) ?? v,
    types: typed,
    isCopy: true,
  };
  return rewriteExpr(
    expr,
    (node, get) => {
      if (node._tag === 'Var') return values.get(node) ?? variables.get(node);
      return sortOf(node) === 'compound' ? mapParts(node, { ...parts, child: get }) : node;
    },
    order,
  );
}

export const copyFunction = (f: Func): Func =>
  copyExpr(f, { values: new Map(), types: new Map() }) as Func;
