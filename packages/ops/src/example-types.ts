/** Tensor types `f32(2, 3)`, vectors `i64s(0, 2)` and scalars `f32n(1)`, for examples. */
import { type TensorType, tensorType } from '@baton/ir';
import { type DType, fromNumbers, type Tensor } from '@baton/tensor';

const of =
  (dtype: DType) =>
  (...shape: ReadonlyArray<number>): TensorType =>
    tensorType(shape, dtype);

export const f32 = of('float32');

export const f64 = of('float64');

export const i32 = of('int32');

export const i64 = of('int64');

export const u8 = of('uint8');
export const i8 = of('int8');

export const boolean = of('bool');

const vectorOf =
  (dtype: DType) =>
  (...values: ReadonlyArray<number>): Tensor =>
    fromNumbers(values, [values.length], dtype);

export const f32s = vectorOf('float32');

export const i32s = vectorOf('int32');

export const i64s = vectorOf('int64');

export const f32n = (value: number): Tensor => fromNumbers([value], [], 'float32');

export const i32n = (value: number): Tensor => fromNumbers([value], [], 'int32');
