/** Access to the elements of tensors. */
import { invariant } from '@baton/base';
import { type Codes, decodeFloats } from './codes.ts';
import { isCoded } from './dtype.ts';
import { floatCode } from './float-code.ts';
import { shapeSize } from './shape.ts';
import { heap, isBigData, type Memory, type NumberData, numberToBigInt } from './storage.ts';
import { dense } from './strided.ts';
import type { Tensor } from './tensor.ts';

/** Plain JavaScript values, nested as the shape is: numbers, bigints (64-bit) or booleans. */
export type Nested = number | bigint | boolean | ReadonlyArray<Nested>;

/** The position in `data` of the element with this row-major index. **Complexity** O(rank). */
export function dataIndex(t: Tensor, linearIndex: number): number {
  let rest = linearIndex;
  let position = t.offset;
  for (let axis = t.shape.length - 1; axis >= 0; axis--) {
    const dim = t.shape[axis] as number;
    position += (rest % dim) * (t.strides[axis] as number);
    rest = Math.floor(rest / dim);
  }
  invariant(rest === 0, 'an element index lies within the tensor');
  return position;
}

/** One element as a number, by row-major index: bool as 0 or 1, 64-bit integers rounded. */
export function readNumber(t: Tensor, linearIndex: number): number {
  const value = storedAt(t, linearIndex);
  return isCoded(t.dtype) ? (floatCode(t.dtype).values[Number(value)] as number) : Number(value);
}

/** One element as a bigint, by row-major index: exact for integers and bool, else truncated. */
export function readBigInt(t: Tensor, linearIndex: number): bigint {
  const value = storedAt(t, linearIndex);
  return typeof value === 'bigint' ? value : numberToBigInt(readNumber(t, linearIndex));
}

/** The elements as numbers, row-major, 64-bit integers rounded. May be the storage: read-only. */
export function toNumbers(t: Tensor, memory: Memory = heap): NumberData {
  const { data } = dense(t, memory);
  if (isBigData(data)) {
    const numbers = memory.take('float64', data.length);
    for (let i = 0; i < data.length; i++) numbers[i] = Number(data[i]);
    return numbers;
  }
  if (!isCoded(t.dtype)) return data;
  return decodeFloats(data as Codes, t.dtype, memory.take('float32', data.length));
}

/** The elements as bigints, in row-major order: exact for integers and bool, else truncated. */
export function toBigInts(t: Tensor): bigint[] {
  const { data } = dense(t);
  if (isBigData(data)) return Array.from(data);
  return Array.from(toNumbers(t), numberToBigInt);
}

/** The elements as nested arrays: numbers, bigints for 64-bit integers, booleans for bool. */
export function toNested(t: Tensor): Nested {
  let level: Nested[] = flatValues(t);
  for (let axis = t.shape.length - 1; axis > 0; axis--) {
    const dim = t.shape[axis] as number;
    const count = shapeSize(t.shape.slice(0, axis));
    const flat = level;
    level = Array.from({ length: count }, (_, i) => flat.slice(i * dim, (i + 1) * dim));
  }
  return t.shape.length === 0 ? (level[0] as Nested) : level;
}

function flatValues(t: Tensor): Nested[] {
  const { data } = dense(t);
  if (isBigData(data)) return Array.from(data);
  if (t.dtype === 'bool') return Array.from(data, (value) => value !== 0);
  return Array.from(toNumbers(t));
}

function storedAt(t: Tensor, linearIndex: number): number | bigint {
  return t.data[dataIndex(t, linearIndex)] as number | bigint;
}
