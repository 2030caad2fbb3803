/** The typed arrays that store tensors. */
import { encodeFloats, hasRoom, narrow } from './codes.ts';
import { type DType, dtypeInfo, isBig, isCoded, isFloat, type SmallFloat } from './dtype.ts';

/** Storage whose elements read as numbers. For floats below 32 bits these are raw bits. */
export type NumberData =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;

export type BigData = BigInt64Array | BigUint64Array;

export type TensorData = NumberData | BigData;

export type PlainData =
  | ArrayLike<number>
  | ReadonlyArray<bigint>
  | ReadonlyArray<boolean>
  | ReadonlyArray<number | bigint | boolean>;

export interface StorageOf extends Readonly<Record<SmallFloat, Uint8Array>> {
  readonly bool: Uint8Array;
  readonly int8: Int8Array;
  readonly int16: Int16Array;
  readonly int32: Int32Array;
  readonly int64: BigInt64Array;
  readonly uint8: Uint8Array;
  readonly uint16: Uint16Array;
  readonly uint32: Uint32Array;
  readonly uint64: BigUint64Array;
  readonly float16: Uint16Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  readonly bfloat16: Uint16Array;
  readonly int2: Int8Array;
  readonly int4: Int8Array;
  readonly uint2: Uint8Array;
  readonly uint4: Uint8Array;
}

const STORAGE = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  bfloat16: Uint16Array,
} as const;

/** The storage of dtypes without their own typed array: bytes. */
const storing = (dtype: DType) =>
  Object.hasOwn(STORAGE, dtype)
    ? STORAGE[dtype as keyof typeof STORAGE]
    : dtypeInfo(dtype).kind === 'int'
      ? Int8Array
      : Uint8Array;

export interface StorageConstructor {
  new (length: number): TensorData;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TensorData;
}

export const storageOf = (dtype: DType): StorageConstructor => storing(dtype);

/** An allocator: code that computes on tensors takes all storage that it writes from one. */
export interface Memory {
  /** Storage for `count` elements of arbitrary content: the caller must fill all of it. */
  readonly take: <D extends DType>(dtype: D, count: number) => StorageOf[D];
}

export const heap: Memory = {
  // The table maps each dtype to its own constructor; TypeScript does not follow the index.
  take: <D extends DType>(dtype: D, count: number) =>
    new (storing(dtype))(count) as unknown as StorageOf[D],
};

export function allocate<D extends DType>(
  dtype: D,
  count: number,
  memory: Memory = heap,
): StorageOf[D] {
  const data = memory.take(dtype, count);
  // New storage is already zero.
  if (memory.take !== heap.take) data.fill((isBig(dtype) ? 0n : 0) as never);
  return data;
}

export const isTensorData = (data: unknown): data is TensorData =>
  ArrayBuffer.isView(data) && !(data instanceof DataView);

export const isStorageOf = (data: TensorData, dtype: DType): boolean =>
  data instanceof storing(dtype);

export const isBigData = (data: TensorData): data is BigData =>
  data instanceof BigInt64Array || data instanceof BigUint64Array;

/**
 * New storage of `dtype` with the values of `source`, converted as `cast` does: numbers are rounded
 * once to a float dtype, truncated and wrapped to an integer dtype, compared with 0 for bool.
 */
export function storageFrom(
  source: PlainData | TensorData,
  dtype: DType,
  memory: Memory = heap,
): TensorData {
  const values = Array.isArray(source) ? plainNumbers(source, dtype) : source;
  if (values === undefined)
    return storageFromMixed(Array.from(source as ReadonlyArray<unknown>), dtype);
  return isTensorData(values) && isBigData(values)
    ? bigsToStorage(values, dtype, memory)
    : numbersToStorage(values as ArrayLike<number>, dtype, memory);
}

export function numbersToStorage(
  values: ArrayLike<number>,
  dtype: DType,
  memory: Memory = heap,
): TensorData {
  const count = values.length;
  if (isCoded(dtype)) return encodeFloats(values, dtype, memory.take(dtype, count));
  if (isBig(dtype)) {
    const data = memory.take(dtype, count);
    for (let i = 0; i < count; i++) data[i] = numberToBigInt(values[i] as number);
    return data;
  }
  const data = memory.take(dtype, count);
  if (dtype !== 'bool') {
    data.set(values);
    // A dtype narrower than its storage is stored in bytes.
    if (hasRoom(dtype)) narrow(data as Int8Array, dtype);
  } else for (let i = 0; i < count; i++) data[i] = values[i] !== 0 ? 1 : 0;
  return data;
}

/** Storage of `dtype` with these bigints, as `cast` converts: exact, wrapped or rounded once. */
export function bigsToStorage(
  values: ArrayLike<bigint>,
  dtype: DType,
  memory: Memory = heap,
): TensorData {
  if (isBig(dtype)) {
    const data = memory.take(dtype, values.length);
    data.set(values);
    return data;
  }
  const numbers = memory.take('float64', values.length);
  const convert = bigToNumber(dtype);
  for (let i = 0; i < numbers.length; i++) numbers[i] = convert(values[i] as bigint);
  return numbersToStorage(numbers, dtype, memory);
}

/** The integer that `value` truncates to; 0 for NaN and the infinities. */
export function numberToBigInt(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

/** Converts a bigint to a number that converts to the right element of `dtype`. */
function bigToNumber(dtype: DType): (value: bigint) => number {
  if (dtype === 'bool') return (value) => (value === 0n ? 0 : 1);
  if (dtype === 'float64') return Number;
  return isFloat(dtype) ? roundedToOdd : lowBits;
}

function lowBits(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}

/**
 * A double near `value` that rounds to a shorter format as `value` itself does: its last bit
 * gathers the bits past the double's 53, so that no tie is made or lost.
 */
function roundedToOdd(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude <= 9007199254740992n) return Number(value);
  const kept = magnitude >> 12n;
  const sticky = kept << 12n === magnitude ? kept : kept | 1n;
  const rounded = Number(sticky) * 4096;
  return value < 0n ? -rounded : rounded;
}

/** The elements as numbers; `undefined` if one is a bigint. */
function plainNumbers(
  source: ReadonlyArray<number | bigint | boolean>,
  dtype: DType,
): ArrayLike<number> | undefined {
  if (source.some((value) => typeof value === 'bigint')) return undefined;
  if (dtype === 'bool' || source.some((value) => typeof value === 'boolean')) {
    return Float64Array.from(source, Number);
  }
  return source as ReadonlyArray<number>;
}

/** Storage from elements, some of them bigints, converted one by one. */
function storageFromMixed(source: ReadonlyArray<unknown>, dtype: DType): TensorData {
  const data = heap.take(dtype, source.length);
  source.forEach((value, i) => {
    const one =
      typeof value === 'bigint'
        ? bigsToStorage([value], dtype)
        : numbersToStorage([Number(value)], dtype);
    data[i] = one[0] as never;
  });
  return data;
}
