/** Questions about types and constants that several passes ask. */
import { memoFold } from '@baton/base';
import { dimsEqual, type Expr, type Type, typeChildren } from '@baton/ir';
import { dimsOf } from '@baton/ops';
import type { Tensor } from '@baton/tensor';

/** The value of a constant with a settled element type. */
export const constantOf = (expr: Expr | undefined): Tensor | undefined =>
  expr?._tag === 'Constant' && expr.literal === undefined ? expr.data : undefined;

/** Whether two tensors are known to have the same shape, which may be a variable. */
export function haveSameShape(a: Type | undefined, b: Type | undefined): boolean {
  const [left, right] = [dimsOf(a), dimsOf(b)];
  if (left === undefined || right === undefined) return isSameVariable(a, b);
  return left.length === right.length && left.every((dim, i) => dimsEqual(dim, right[i] ?? -1));
}

function isSameVariable(a: Type | undefined, b: Type | undefined): boolean {
  if (a?._tag !== 'TensorType' || b?._tag !== 'TensorType') return false;
  return '_tag' in a.shape && a.shape._tag === 'TypeVar' && a.shape === b.shape;
}

/** Whether values of a type may hold functions, as far as the type itself says it. */
export const mentionsFunction: (type: Type) => boolean = memoFold<Type, boolean>(
  typeChildren,
  (type, get) => type._tag === 'FuncType' || typeChildren(type).some(get),
);
