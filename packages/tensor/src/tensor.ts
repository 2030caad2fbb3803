/** Tensors, and their constructors. */
import { fail, invariant, isLeft, type Result, right } from '@baton/base';
import { hasRoom, isWithin } from './codes.ts';
import {
  badDimension,
  lengthMismatch,
  rankTooHigh,
  tooManyElements,
  wrongStorage,
} from './diagnostics.ts';
import type { DType } from './dtype.ts';
import { MAX_ELEMENTS, MAX_RANK, rowMajorStrides, type Shape, shapeSize } from './shape.ts';
import {
  allocate,
  heap,
  isStorageOf,
  isTensorData,
  type Memory,
  type PlainData,
  storageFrom,
  type TensorData,
} from './storage.ts';

/**
 * An n-dimensional array: a view, by shape, strides and offset, of a typed array. Element (i, j, …)
 * is `data[offset + i * strides[0] + j * strides[1] + …]`. Strides count elements, not bytes; they
 * may be 0 (a broadcast axis) or negative (a reversed one). Several tensors may share one `data`;
 * nothing writes to it once the tensor is published. bool is stored as 0 or 1; floats below 32 bits
 * as their raw bits.
 */
export interface Tensor {
  readonly _tag: 'Tensor';
  readonly dtype: DType;
  readonly shape: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly offset: number;
  readonly data: TensorData;
}

/** From this many elements on, {@link full} stores its value only once. */
export const SPLAT_THRESHOLD = 65_536;

/**
 * A dense row-major tensor. A typed array of `dtype`'s storage is used without a copy (for float16
 * and bfloat16 a `Uint16Array` is raw bits). Any other array is converted as `cast` does. bool
 * storage must hold only 0 and 1.
 *
 * **Errors** throws an InvariantError if the length does not match the shape: external data goes
 * through {@link makeTensor}.
 */
export function tensor(data: TensorData | PlainData, shape: Shape, dtype: DType): Tensor {
  const storage = isTensorData(data) && isStorageOf(data, dtype) ? data : storageFrom(data, dtype);
  invariant(
    storage.length === shapeSize(shape),
    `a tensor's length matches its shape: ${storage.length} elements for (${shape.join(', ')})`,
  );
  return view(storage, dtype, shape, rowMajorStrides(shape), 0);
}

/**
 * A dense row-major tensor from unchecked data.
 *
 * **Errors** `TENSOR_RANK`, `TENSOR_DIMENSION`, `TENSOR_TOO_LARGE`, `TENSOR_LENGTH`,
 * `TENSOR_STORAGE` (the typed array is not storage of `dtype`, such as a bool array with values
 * other than 0 and 1).
 */
export function makeTensor(
  data: TensorData | PlainData,
  shape: Shape,
  dtype: DType,
): Result<Tensor> {
  const count = checkedSize(shape);
  if (isLeft(count)) return count;
  if (data.length !== count.right) return fail(lengthMismatch(shape, count.right, data.length));
  if (!isTensorData(data)) return right(tensor(data, shape, dtype));
  if (!isStorageOf(data, dtype)) return fail(wrongStorage(dtype, storageName(data)));
  if (hasRoom(dtype) && !isWithin(data as Uint8Array, dtype)) {
    const found = dtype === 'bool' ? 'bytes other than 0 and 1' : 'bytes outside its range';
    return fail(wrongStorage(dtype, found));
  }
  return right(tensor(data, shape, dtype));
}

/**
 * The number of elements of an unchecked shape.
 *
 * **Errors** `TENSOR_RANK`, `TENSOR_DIMENSION`, `TENSOR_TOO_LARGE`.
 */
export function checkedSize(shape: Shape): Result<number> {
  if (shape.length > MAX_RANK) return fail(rankTooHigh(shape.length));
  if (!shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0))
    return fail(badDimension(shape));
  if (shape.includes(0)) return right(0);
  let size = 1;
  for (const dim of shape) {
    // Each factor is at most 2^53 and the product so far at most 2^31: lost precision cannot bring
    // the product back under the limit.
    size *= dim;
    if (size > MAX_ELEMENTS) return fail(tooManyElements(shape));
  }
  return right(size);
}

/** A tensor from all its fields, for views. The caller guarantees the bounds. */
export function view(
  data: TensorData,
  dtype: DType,
  shape: Shape,
  strides: Shape,
  offset: number,
): Tensor {
  return { _tag: 'Tensor', dtype, shape, strides, offset, data };
}

export function zeros(shape: Shape, dtype: DType, memory: Memory = heap): Tensor {
  return tensor(allocate(dtype, shapeSize(shape), memory), shape, dtype);
}

export function scalar(
  value: number | bigint | boolean,
  dtype: DType,
  memory: Memory = heap,
): Tensor {
  return tensor(storageFrom([value], dtype, memory), [], dtype);
}

/**
 * A tensor filled with one value, converted as `cast` does.
 *
 * From {@link SPLAT_THRESHOLD} elements on it is a {@link splat}: `dense` makes `data` readable.
 */
export function full(
  shape: Shape,
  dtype: DType,
  value: number | bigint | boolean,
  memory: Memory = heap,
): Tensor {
  const count = shapeSize(shape);
  if (count >= SPLAT_THRESHOLD) return splat(shape, dtype, value, memory);
  const data = memory.take(dtype, count);
  data.fill(storageFrom([value], dtype)[0] as never);
  return tensor(data, shape, dtype);
}

/** A tensor filled with one value that is stored once: every stride is 0. */
export function splat(
  shape: Shape,
  dtype: DType,
  value: number | bigint | boolean,
  memory: Memory = heap,
): Tensor {
  return view(
    storageFrom([value], dtype, memory),
    dtype,
    shape,
    shape.map(() => 0),
    0,
  );
}

/** Whether one stored element represents all: a {@link splat}, or a single element. */
export function isSplat(t: Tensor): boolean {
  return t.shape.every((dim, axis) => dim === 1 || t.strides[axis] === 0);
}

export const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'Tensor';

export function fromNumbers(
  values: ArrayLike<number>,
  shape: Shape,
  dtype: DType,
  memory: Memory = heap,
): Tensor {
  return tensor(storageFrom(values, dtype, memory), shape, dtype);
}

function storageName(data: TensorData): string {
  return `a ${Object.prototype.toString.call(data).slice('[object '.length, -1)}`;
}
