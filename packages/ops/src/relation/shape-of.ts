/** Tensors determined by a shape and a dtype. */
import { type Type, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';

export const statedType = (
  _args: ReadonlyArray<Type>,
  attrs: { readonly shape: ReadonlyArray<number>; readonly dtype: DType },
): Type => tensorType(attrs.shape, attrs.dtype);
