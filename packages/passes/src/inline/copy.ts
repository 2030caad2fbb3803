/** Copies of functions that share no binder with the original. */
import {
  binders,
  type Expr,
  type ExprParts,
  type Func,
  postOrderExprs,
  remade,
  replaceTypeVars,
  sortOf,
  type TypeArg,
  type TypeVar,
  typeVar,
  type Var,
  varArg,
  variable,
} from '@baton/ir';

/** What stands for the free variables and type parameters of what is copied. */
export interface Substitution {
  readonly values: ReadonlyMap<Var, Expr>;
  readonly types: ReadonlyMap<TypeVar, TypeArg>;
}

/** A substitution that changes nothing. */
export const noSubstitution: Substitution = { values: new Map(), types: new Map() };

/**
 * A copy of an expression: every variable and type parameter that it binds is a new one, and so is
 * every node but names and constants; what was shared stays shared within the copy.
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
  const results = new Map<Expr, Expr>(values);
  const variables = new Map<Var, Var>();
  for (const v of order.flatMap(binders)) {
    const type = v.typeAnnotation;
    const made = variable(v.nameHint, type === undefined ? undefined : typed.type(type), v.span);
    variables.set(v, made);
    results.set(v, made);
  }
  const get = (node: Expr): Expr => results.get(node) ?? node;

  const parts: ExprParts = {
    child: get,
    binder: (v) => variables.get(v) ?? v,
    typeBinder: (v) => typeParams.get(v) ?? v,
    types: typed,
  };
  for (const node of order) {
    results.set(node, sortOf(node) === 'compound' ? remade(node, parts) : get(node));
  }
  return get(expr);
}

/** A copy of a function; see {@link copyExpr}. */
export const copyFunction = (f: Func): Func => copyExpr(f, noSubstitution) as Func;
