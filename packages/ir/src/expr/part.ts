/** The mapping of a field of each role. */
import type { Tensor } from '@baton/tensor';
import type { Attrs } from '../types/attrs.ts';
import { sameOr, withArgParts, withRelationParts } from '../types/parts.ts';
import type { Type, TypeArg, TypeRelation } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';
import * as build from './construct.ts';
import type { Clause, Expr, Var } from './expr.ts';
import type { ExprParts } from './grammar.ts';
import { withPatternVars } from './patterns.ts';

type Map<A> = (field: A, parts: ExprParts) => A;

export const children: Map<ReadonlyArray<Expr>> = (field, { child }) => sameOr(field, child);

export const clauses: Map<ReadonlyArray<Clause>> = (field, { child, binder }) =>
  sameOr(field, (old) => {
    const pattern = binder === undefined ? old.pattern : withPatternVars(old.pattern, binder);
    const body = child(old.body);
    return pattern === old.pattern && body === old.body ? old : build.clause(pattern, body);
  });

export const binder: Map<Var> = (field, parts) => parts.binder?.(field) ?? field;

export const binders: Map<ReadonlyArray<Var>> = (field, parts) =>
  parts.binder === undefined ? field : sameOr(field, parts.binder);

export const typeBinders: Map<ReadonlyArray<TypeVar>> = (field, { typeBinder }) =>
  typeBinder === undefined ? field : sameOr(field, typeBinder);

export const type: Map<Type | undefined> = (field, { types }) =>
  field === undefined || types === undefined ? field : types.type(field);

export const typeArgs: Map<ReadonlyArray<TypeArg>> = (field, { types }) =>
  types === undefined ? field : sameOr(field, (arg) => withArgParts(arg, types));

export const relations: Map<ReadonlyArray<TypeRelation>> = (field, { types }) =>
  types === undefined ? field : sameOr(field, (relation) => withRelationParts(relation, types));

export const callAttrs: Map<Attrs | undefined> = (field, parts) =>
  field === undefined || parts.callAttrs === undefined ? field : parts.callAttrs(field);

export const tensor: Map<Tensor> = (field, parts) => parts.tensor?.(field) ?? field;
