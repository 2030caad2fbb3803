/**
 * How kernels read and write elements: float16 and bfloat16 are worked on as float32 and rounded
 * once at the end (decision [D16](https://batonjs.github.io/baton/spec/decisions#D16)), every other
 * type in its own storage.
 */
import {
  allocate,
  type DType,
  dense,
  halfToFloat32,
  isHalf,
  type NumberData,
  numbersToHalf,
  type Shape,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';

/** The storage of `t`, its 16-bit floats as float32: strides and offset stay those of `t`. */
export function loadData(t: Tensor): TensorData {
  // Raw bits: the dtype says so.
  return isHalf(t.dtype) ? halfToFloat32(t.data as Uint16Array, t.dtype) : t.data;
}

/** The elements in row-major order, 16-bit floats as float32. Not to be written to. */
export const loadDense = (t: Tensor): TensorData => loadData(dense(t));

/** {@link loadDense} of a tensor that is not of 64-bit integers. */
export const loadNumbers = (t: Tensor): NumberData => loadDense(t) as NumberData;

/** A buffer to compute elements of `dtype` in: writing to it rounds or wraps as `dtype` does. */
export function resultBuffer(dtype: DType, count: number): TensorData {
  return isHalf(dtype) ? new Float32Array(count) : allocate(dtype, count);
}

/** {@link resultBuffer} for a type that is not a 64-bit integer. */
export const numberBuffer = (dtype: DType, count: number): NumberData =>
  resultBuffer(dtype, count) as NumberData;

/** The tensor of a filled {@link resultBuffer}. */
export function finish(buffer: TensorData, shape: Shape, dtype: DType): Tensor {
  if (!isHalf(dtype)) return tensor(buffer, shape, dtype);
  return tensor(numbersToHalf(buffer as Float32Array, dtype), shape, dtype);
}
