/**
 * Reads and writes elements for kernels: floats below 32 bits are computed as float32 and rounded
 * once at the end (decision [D16](https://batonjs.github.io/baton/spec/decisions#D16)), every other
 * dtype in its own storage.
 */
import {
  type DType,
  decodeFloats,
  dense,
  encodeFloats,
  hasRoom,
  isCoded,
  type Memory,
  type NumberData,
  narrow,
  type Shape,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';

/** The storage of `t`, its short floats as float32, with the strides and offset of `t`. */
export function loadData(t: Tensor, memory: Memory): TensorData {
  if (!isCoded(t.dtype)) return t.data;
  // By its dtype, the storage holds raw bits.
  const bits = t.data as Uint8Array | Uint16Array;
  return decodeFloats(bits, t.dtype, memory.take('float32', bits.length));
}

/** The elements in row-major order, short floats as float32. Read-only. */
export const loadDense = (t: Tensor, memory: Memory): TensorData =>
  loadData(dense(t, memory), memory);

export const loadNumbers = (t: Tensor, memory: Memory): NumberData =>
  loadDense(t, memory) as NumberData;

/**
 * A buffer for elements of `dtype`: writing to it rounds or wraps as `dtype` does. Its initial
 * content is arbitrary.
 */
export const resultBuffer = (dtype: DType, count: number, memory: Memory): TensorData =>
  memory.take(isCoded(dtype) ? 'float32' : dtype, count);

export const numberBuffer = (dtype: DType, count: number, memory: Memory): NumberData =>
  resultBuffer(dtype, count, memory) as NumberData;

export function finish(buffer: TensorData, shape: Shape, dtype: DType, memory: Memory): Tensor {
  // A dtype narrower than its storage is stored in bytes.
  if (hasRoom(dtype) && !isCoded(dtype)) narrow(buffer as Int8Array, dtype);
  if (!isCoded(dtype)) return tensor(buffer, shape, dtype);
  const bits = memory.take(dtype, buffer.length);
  return tensor(encodeFloats(buffer as Float32Array, dtype, bits), shape, dtype);
}
