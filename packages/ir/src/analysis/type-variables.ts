/** The type parameters that an expression or a type binds, and its free ones. */
import { postOrder } from '@baton/base';
import { binders } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';
import { freeTypeVarsOf, ownTypeVars } from '../types/free-type-vars.ts';
import { globalTypeVar, type Type, type TypeArg, typeCall, typeChildren } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';

/**
 * The free type parameters of an expression or a type, in order of first appearance.
 *
 * **Complexity** linear in the nodes and the distinct types below.
 */
export function freeTypeVars(of: Expr | Type): ReadonlyArray<TypeVar> {
  if (isType(of)) return freeTypeVarsOf([of]);
  const bound = new Set(boundTypeVars(of));
  return freeTypeVarsOf(typesIn(of)).filter((v) => !bound.has(v));
}

/** The type parameters that functions and function types in it bind, in order of appearance. */
export function boundTypeVars(of: Expr | Type): ReadonlyArray<TypeVar> {
  const bound = new Set<TypeVar>();
  if (!isType(of)) {
    for (const node of [...postOrderExprs([of])].reverse()) {
      if (node._tag === 'Function') for (const v of node.typeParams) bound.add(v);
    }
  }
  for (const t of postOrder(typeChildren, isType(of) ? [of] : typesIn(of))) {
    if (t._tag === 'FuncType') for (const v of t.typeParams) bound.add(v);
  }
  return [...bound];
}

export function allTypeVars(of: Expr | Type): ReadonlyArray<TypeVar> {
  const all = new Set(boundTypeVars(of));
  for (const t of postOrder(typeChildren, isType(of) ? [of] : typesIn(of))) {
    for (const v of ownTypeVars(t)) all.add(v);
  }
  return [...all];
}

/** The types that are written in an expression: annotations, constraints, type arguments. */
function typesIn(expr: Expr): ReadonlyArray<Type> {
  const found: Type[] = [];
  const add = (type: Type | undefined): void => {
    if (type !== undefined) found.push(type);
  };
  const seen = new Set<Expr>();
  for (const node of postOrderExprs([expr])) {
    for (const v of node._tag === 'Var' ? [node] : binders(node)) {
      if (!seen.has(v)) add(v.typeAnnotation);
      seen.add(v);
    }
    if (node._tag === 'Function') {
      add(node.retType);
      for (const relation of node.constraints) found.push(...relation.args);
    }
    if (node._tag === 'Call' && node.typeArgs.length > 0) found.push(argsType(node.typeArgs));
  }
  return found;
}

const argsType = (args: ReadonlyArray<TypeArg>): Type => typeCall(globalTypeVar(''), args);

const TYPE_TAGS: ReadonlySet<string> = new Set([
  'TensorType',
  'TupleType',
  'FuncType',
  'TypeVar',
  'GlobalTypeVar',
  'TypeCall',
  'RefType',
  'IncompleteType',
]);

const isType = (of: Expr | Type): of is Type => TYPE_TAGS.has(of._tag);
