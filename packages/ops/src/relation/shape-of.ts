/** Tensors made of nothing but a shape and a dtype. */
import { type Type, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';

/** The type that the attributes state. */
export const statedType = (
  _args: ReadonlyArray<Type>,
  attrs: { readonly shape: ReadonlyArray<number>; readonly dtype: DType },
): Type => tensorType(attrs.shape, attrs.dtype);
