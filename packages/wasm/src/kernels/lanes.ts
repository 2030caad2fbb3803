/** Vectors of four numbers, of which the last of a row may have fewer. */
import { type DType, dtypeInfo } from '@baton/tensor';
import {
  type FunctionBuilder,
  i8x16,
  i16x8,
  i32,
  i32x4,
  type Operand,
  type Value,
  v128,
} from '../emit/index.ts';

/** The first `count` floats at an address, of a number of bytes; nothing past them is read. */
export function loadLanes(
  address: Operand<'i32'>,
  count: number,
  offset = 0,
  bytes = 4,
): Value<'v128'> {
  switch ((count * bytes) / 4) {
    case 1:
      return v128.load32Zero(address, offset);
    case 2:
      return v128.load64Zero(address, offset);
    case 3:
      return v128.load32Lane(address, v128.load64Zero(address, offset), 2, offset + 8);
    default:
      return v128.load(address, offset);
  }
}

/** Stores the first `count` floats of a vector, of a number of bytes; nothing past them is written. */
export function storeLanes(
  f: FunctionBuilder,
  address: Operand<'i32'>,
  vector: Value<'v128'>,
  count: number,
  offset = 0,
  bytes = 4,
): void {
  const words = (count * bytes) / 4;
  if (words >= 4) {
    f.do(v128.store(address, vector, offset));
    return;
  }
  const kept = f.let(vector);
  if (words === 1) f.do(v128.store32Lane(address, kept, 0, offset));
  else f.do(v128.store64Lane(address, kept, 0, offset));
  if (words === 3) f.do(v128.store32Lane(address, kept, 2, offset + 8));
}

/**
 * The first `count` elements of a type at an address, in lanes of at least 32 bits. Nothing past them is read.
 */
export function loadElements(
  dtype: DType,
  address: Operand<'i32'>,
  count: number,
  offset = 0,
): Value<'v128'> {
  const { bytes } = dtypeInfo(dtype);
  if (bytes >= 4) return loadLanes(address, count, offset, bytes);
  if (count >= 4 && bytes === 1) return widened(dtype, v128.load32Zero(address, offset));
  if (count >= 4) return widened(dtype, v128.load64Zero(address, offset));
  const one = (i: number): Value<'i32'> => loadInteger(dtype, address, offset + bytes * i);
  return Array.from({ length: count - 1 }, (_, i) => i + 1).reduce(
    (lanes, i) => i32x4.replaceLane(lanes, i, one(i)),
    i32x4.splat(one(0)),
  );
}

/** One integer of at most 32 bits. */
export function loadInteger(dtype: DType, address: Operand<'i32'>, offset = 0): Value<'i32'> {
  const { bytes, kind } = dtypeInfo(dtype);
  if (bytes === 4) return i32.load(address, offset);
  if (kind === 'int') return (bytes === 1 ? i32.load8S : i32.load16S)(address, offset);
  return (bytes === 1 ? i32.load8U : i32.load16U)(address, offset);
}

/** The four integers in the low bytes of a vector, in lanes of 32 bits. */
export function widened(dtype: DType, vector: Value<'v128'>): Value<'v128'> {
  const { bytes, kind } = dtypeInfo(dtype);
  const isSigned = kind === 'int';
  const words = isSigned ? i32x4.extendLowI16x8S : i32x4.extendLowI16x8U;
  if (bytes === 2) return words(vector);
  return words((isSigned ? i16x8.extendLowI8x16S : i16x8.extendLowI8x16U)(vector));
}

/** The low bytes of the lanes of 32 bits, side by side. */
export function narrowed(bytes: number, vector: Value<'v128'>): Value<'v128'> {
  const kept = [0, 1, 2, 3].flatMap((lane) =>
    Array.from({ length: bytes }, (_, byte) => 4 * lane + byte),
  );
  return i8x16.shuffle(vector, vector, [...kept, ...new Array<number>(16 - kept.length).fill(0)]);
}

/** Eight integers of 32 bits in bytes, the low half of a vector: those beyond the type at its ends. */
export function saturated(dtype: DType, low: Value<'v128'>, high: Value<'v128'>): Value<'v128'> {
  const words = i16x8.narrowI32x4S(low, high);
  const narrow = dtypeInfo(dtype).kind === 'int' ? i8x16.narrowI16x8S : i8x16.narrowI16x8U;
  return narrow(words, words);
}

/** Stores the first `count` lanes as elements of a type; nothing past them is written. */
export function storeElements(
  f: FunctionBuilder,
  dtype: DType,
  address: Operand<'i32'>,
  vector: Value<'v128'>,
  count: number,
  offset = 0,
): void {
  const { bytes } = dtypeInfo(dtype);
  if (bytes >= 4) {
    storeLanes(f, address, vector, count, offset, bytes);
    return;
  }
  const kept = f.let(vector);
  if (count >= 4) {
    const store = bytes === 1 ? v128.store32Lane : v128.store64Lane;
    f.do(store(address, narrowed(bytes, kept), 0, offset));
    return;
  }
  const store = bytes === 1 ? i32.store8 : i32.store16;
  for (let i = 0; i < count; i++) {
    f.do(store(address, i32x4.extractLane(kept, i), offset + bytes * i));
  }
}

/** Lanes of two vectors of four or two lanes: the number that one vector has. */
export const shuffled = (
  a: Value<'v128'>,
  b: Value<'v128'>,
  lanes: ReadonlyArray<number>,
): Value<'v128'> => {
  const bytes = 16 / lanes.length;
  const ofLane = (lane: number) => Array.from({ length: bytes }, (_, byte) => bytes * lane + byte);
  return i8x16.shuffle(a, b, lanes.flatMap(ofLane));
};

/** Every other number of two vectors, the second of which begins with the last of the first. */
export const everyOther = (a: Value<'v128'>, b: Value<'v128'>): Value<'v128'> =>
  shuffled(a, b, [0, 2, 5, 7]);

/** A number in all lanes of 32 bits. */
export const splatOf = (value: number): Value<'v128'> =>
  v128.const(new Float32Array(4).fill(value));

/** A number in all lanes of 64 bits. */
export const doublesOf = (value: number): Value<'v128'> =>
  v128.const(new Float64Array(2).fill(value));

/** A vector of floats, `stride` floats apart. Nothing past the last is read. */
export function loadStrided(
  address: Operand<'i32'>,
  stride: number,
  offset = 0,
  bytes = 4,
): Value<'v128'> {
  if (stride === 1) return v128.load(address, offset);
  if (stride === 2 && bytes === 4) {
    return everyOther(v128.load(address, offset), v128.load(address, offset + 12));
  }
  const from = (lane: number) => [address, offset + bytes * stride * lane] as const;
  return gathered(
    Array.from({ length: 16 / bytes }, (_, lane) => from(lane)),
    bytes,
  );
}

/** A vector of floats at any addresses. */
export function gathered(
  places: ReadonlyArray<readonly [address: Operand<'i32'>, offset: number]>,
  bytes: number,
): Value<'v128'> {
  const [first, ...others] = places as [(typeof places)[0], ...(typeof places)[number][]];
  const [zero, lane] =
    bytes === 4 ? [v128.load32Zero, v128.load32Lane] : [v128.load64Zero, v128.load64Lane];
  return others.reduce<Value<'v128'>>(
    (vector, [address, offset], i) => lane(address, vector, i + 1, offset),
    zero(...first),
  );
}

/** **Units** bytes. The size of whole vectors that hold `count` floats. */
export const vectorBytes = (count: number, bytes = 4): number =>
  16 * Math.ceil((count * bytes) / 16);

/** An address moved by a number of steps of `bytes` bytes. */
export function moved(
  address: Operand<'i32'>,
  steps: Operand<'i32'>,
  bytes: Operand<'i32'>,
): Value<'i32'> {
  const by =
    typeof steps === 'number' && typeof bytes === 'number' ? steps * bytes : i32.mul(steps, bytes);
  if (by === 0 && typeof address !== 'number') return address;
  return i32.add(address, by);
}

/** Runs a body with a counter; a loop that turns once is no loop. */
export function each(
  f: FunctionBuilder,
  to: number,
  step: number,
  body: (counter: Operand<'i32'>) => void,
): void {
  if (to <= step) body(0);
  else f.for(0, to, step, body);
}

/** The smaller of two integers. */
export function smaller(f: FunctionBuilder, a: Value<'i32'>, b: Operand<'i32'>): Value<'i32'> {
  const kept = f.let(a);
  f.if(i32.gtS(kept, b), () => f.set(kept, b));
  return kept;
}
