/** Tensor types for examples, `f32(2, 3)`, and for them vectors, `i64s(0, 2)`, and numbers, `f32n(1)`. */
import { type TensorType, tensorType } from '@baton/ir';
import { type DType, fromNumbers, type Tensor } from '@baton/tensor';

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

/** A tensor of bytes, and one with signs. */
export const u8 = of('uint8');
export const i8 = of('int8');

/** A bool tensor. */
export const boolean = of('bool');

const vectorOf =
  (dtype: DType) =>
  (...values: ReadonlyArray<number>): Tensor =>
    fromNumbers(values, [values.length], dtype);

/** A vector of float32. */
export const f32s = vectorOf('float32');

/** A vector of int32. */
export const i32s = vectorOf('int32');

/** A vector of int64. */
export const i64s = vectorOf('int64');

/** One number as float32. */
export const f32n = (value: number): Tensor => fromNumbers([value], [], 'float32');

/** One number as int32. */
export const i32n = (value: number): Tensor => fromNumbers([value], [], 'int32');
