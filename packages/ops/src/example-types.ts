/** Tensor types for examples: `f32(2, 3)`. */
import { type TensorType, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';

const of =
  (dtype: DType) =>
  (...shape: ReadonlyArray<number>): TensorType =>
    tensorType(shape, dtype);

/** A float32 tensor. */
export const f32 = of('float32');

/** A float64 tensor. */
export const f64 = of('float64');

/** An int32 tensor. */
export const i32 = of('int32');

/** An int64 tensor. */
export const i64 = of('int64');

/** A bool tensor. */
export const boolean = of('bool');
