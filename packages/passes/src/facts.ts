/** Questions about types and constants that several passes ask. */
import { memoFold } from '@baton/base';
import { type Expr, type Type, typeChildren } from '@baton/ir';
import type { Tensor } from '@baton/tensor';

/** The value of a constant with a settled element type. */
export const constantOf = (expr: Expr | undefined): Tensor | undefined =>
  expr?._tag === 'Constant' && expr.literal === undefined ? expr.data : undefined;

/** Whether values of a type may hold functions, as far as the type itself says it. */
export const mentionsFunction: (type: Type) => boolean = memoFold<Type, boolean>(
  typeChildren,
  (type, get) => type._tag === 'FuncType' || typeChildren(type).some(get),
);
