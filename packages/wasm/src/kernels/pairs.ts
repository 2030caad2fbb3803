/**
 * Products of integers of at most 16 bits, as products of pairs: `i32x4.dot_i16x8_s` adds two products
 * in each lane, so a pair of integers of 16 bits takes the place of a float in the kernels of floats.
 *
 * A pair holds two neighbours along which is summed, without their zero point: two elements of a row, or
 * one element of each of two planes (the channels of an image, the rows of a matrix). A row or plane
 * that has no neighbour is paired with zeros. What is known before the first run is paired then.
 */
import { type DType, dtypeInfo } from '@baton/tensor';
import {
  call,
  type FunctionBuilder,
  i8x16,
  i16x8,
  i32,
  type Local,
  type ModuleBuilder,
  type Operand,
  type Value,
  v128,
} from '../emit/index.ts';
import { type Procedure, procedureOf, sharedFunction, until } from './function.ts';
import type { HandKernel, IntegerOperands, Site, Words } from './kernel.ts';
import { each, loadInteger, moved } from './lanes.ts';

type I = Local<'i32'>;
type Address = Value<'i32'>;

/** How the elements of an operand are paired. */
export interface Pairing {
  readonly along: 'rows' | 'planes';
  /** The number of rows or planes of a group, and of elements of each. */
  readonly groups: number;
  readonly count: number;
  readonly elements: number;
}

const pairsInGroup = ({ along, count, elements }: Pairing): number =>
  along === 'rows' ? count * Math.ceil(elements / 2) : Math.ceil(count / 2) * elements;

/** The pairs of an operand. */
export const pairsOf = (pairing: Pairing): number => pairing.groups * pairsInGroup(pairing);

/** The pairs of a constant. */
export function paired(numbers: ArrayLike<number>, pairing: Pairing): Int32Array {
  const { along, groups, count, elements } = pairing;
  const pairs = new Int32Array(pairsOf(pairing));
  const both = (low: number, high: number): number => (low & 0xffff) | (high << 16);
  const [lines, length] = along === 'rows' ? [count, elements] : [Math.ceil(count / 2), elements];
  let at = 0;
  for (let group = 0; group < groups; group++) {
    const start = group * count * elements;
    for (let line = 0; line < lines; line++) {
      for (let i = 0; i < length; i += along === 'rows' ? 2 : 1) {
        const place = start + (along === 'rows' ? line : 2 * line) * elements + i;
        const hasSecond = along === 'rows' ? i + 1 < length : 2 * line + 1 < count;
        const second = place + (along === 'rows' ? 1 : elements);
        pairs[at++] = both(numbers[place] as number, hasSecond ? (numbers[second] as number) : 0);
      }
    }
  }
  return pairs;
}

/** Eight integers of a type as 16 bits, without their zero point. */
function eight(dtype: DType, address: I, zero: Value<'v128'>): Value<'v128'> {
  const { bytes, kind } = dtypeInfo(dtype);
  if (bytes === 2) return i16x8.sub(v128.load(address), zero);
  return i16x8.sub((kind === 'int' ? v128.load8x8S : v128.load8x8U)(address), zero);
}

/** One integer without its zero point. */
const single = (dtype: DType, address: I, zero: I): Value<'i32'> =>
  i32.sub(loadInteger(dtype, address), zero);

/** Pieces of eight elements up to a count, then one by one. */
function eachEight(f: FunctionBuilder, count: I, whole: () => void, one: () => void): void {
  until(f, i32.ltS(count, 8), () => {
    whole();
    f.increase(count, -8);
  });
  until(f, i32.eqz(count), () => {
    one();
    f.increase(count, -1);
  });
}

/** A function that widens a row to 16 bits. Its parameters: from, to, the elements, the zero point. */
export const widenRow = (module: ModuleBuilder, dtype: DType): Procedure =>
  sharedFunction(module, `widen ${dtype}`, 4, (f, ...params) => {
    const [from, to, count, zero] = params as unknown as [I, I, I, I];
    const { bytes } = dtypeInfo(dtype);
    const zeros = f.let(i16x8.splat(zero));
    const whole = (): void => {
      f.do(v128.store(to, eight(dtype, from, zeros)));
      f.increase(from, 8 * bytes);
      f.increase(to, 16);
    };
    const one = (): void => {
      f.do(i32.store16(to, single(dtype, from, zero)));
      f.increase(from, bytes);
      f.increase(to, 2);
    };
    eachEight(f, count, whole, one);
  });

/** Which of two rows there are: pairs of others are zeros. */
export type Present = 'both' | 'first' | 'second';

/** Bytes of the first and the second vector by turns, of 16 bits each. */
const alternate = (from: number): ReadonlyArray<number> =>
  [0, 1, 2, 3].flatMap((i) => [
    from + 2 * i,
    from + 2 * i + 1,
    from + 2 * i + 16,
    from + 2 * i + 17,
  ]);

/**
 * A function that pairs the elements of two rows. Its parameters: the rows, to, the elements of a row,
 * the zero point.
 */
export const pairRows = (module: ModuleBuilder, dtype: DType, present: Present): Procedure =>
  sharedFunction(module, `pair ${dtype} ${present}`, 5, (f, ...params) => {
    const [first, second, to, count, zero] = params as unknown as [I, I, I, I, I];
    const { bytes } = dtypeInfo(dtype);
    const zeros = f.let(i16x8.splat(zero));
    const none = v128.const(new Int16Array(8));
    const advance = (elements: number): void => {
      f.increase(first, bytes * elements);
      f.increase(second, bytes * elements);
      f.increase(to, 4 * elements);
    };
    const whole = (): void => {
      const a = present === 'second' ? none : f.let(eight(dtype, first, zeros));
      const b = present === 'first' ? none : f.let(eight(dtype, second, zeros));
      f.do(v128.store(to, i8x16.shuffle(a, b, alternate(0))));
      f.do(v128.store(to, i8x16.shuffle(a, b, alternate(8)), 16));
      advance(8);
    };
    const one = (): void => {
      const low = present === 'second' ? i32.const(0) : single(dtype, first, zero);
      const high = present === 'first' ? i32.const(0) : single(dtype, second, zero);
      f.do(i32.store16(to, low));
      f.do(i32.store16(to, high, 2));
      advance(1);
    };
    eachEight(f, count, whole, one);
  });

/** Writes code that pairs an operand: from, to, the zero point. */
export function pairing(
  module: ModuleBuilder,
  dtype: DType,
  { along, groups, count, elements }: Pairing,
): (f: FunctionBuilder, from: Address, to: Address, zero: Operand<'i32'>) => void {
  const { bytes } = dtypeInfo(dtype);
  if (along === 'rows') {
    const widen = widenRow(module, dtype);
    const isEven = elements % 2 === 0;
    const rows = groups * count;
    const [turns, length] = isEven ? [1, rows * elements] : [rows, elements];
    return (f, from, to, zero) =>
      each(f, turns, 1, (row) => {
        const into = f.let(moved(to, row, 2 * (elements + 1)));
        f.do(call(widen, moved(from, row, bytes * elements), into, length, zero));
        if (!isEven) f.do(i32.store16(into, 0, 2 * elements));
      });
  }
  const both = pairRows(module, dtype, 'both');
  const last = count % 2 === 1 ? pairRows(module, dtype, 'first') : undefined;
  const halves = Math.floor(count / 2);
  return (f, from, to, zero) =>
    each(f, groups, 1, (group) => {
      const start = f.let(moved(from, group, bytes * count * elements));
      const into = f.let(moved(to, group, 4 * Math.ceil(count / 2) * elements));
      if (halves > 0) {
        each(f, halves, 1, (pair) => {
          const a = f.let(moved(start, pair, 2 * bytes * elements));
          const b = i32.add(a, bytes * elements);
          f.do(call(both, a, b, moved(into, pair, 4 * elements), elements, zero));
        });
      }
      if (last !== undefined) {
        const a = f.let(moved(start, count - 1, bytes * elements));
        f.do(call(last, a, a, moved(into, halves, 4 * elements), elements, zero));
      }
    });
}

/** The types of operands, which code depends on. */
export const typesOf = ({ data, weight, dataZero, weightZero }: IntegerOperands): string =>
  `${[data, weight, dataZero, weightZero]}`;

/** What the function of a kernel on integers is given, but for the scratch storage. */
interface Given {
  readonly data: I;
  readonly weight: I;
  readonly dataZero: Operand<'i32'>;
  readonly weightZero: Operand<'i32'>;
}

/**
 * Writes the function of a kernel whose site has integers: `body` is given the zero points, which are
 * read here, and the addresses that follow them: the operands of the epilogue, the result, the scratch.
 */
export function integerFunction(
  module: ModuleBuilder,
  { dataZero, weightZero }: IntegerOperands,
  operands: number,
  body: (f: FunctionBuilder, given: Given, others: ReadonlyArray<I>) => void,
): Procedure {
  const zeros = [dataZero, weightZero].filter((dtype) => dtype !== undefined).length;
  return procedureOf(module, 4 + zeros + operands, (f, ...params) => {
    const [data, weight, ...rest] = params as unknown as [I, I, ...I[]];
    const read = (dtype: DType | undefined, at: number): Operand<'i32'> =>
      dtype === undefined ? 0 : f.let(loadInteger(dtype, rest[at] as I));
    const given: Given = {
      data,
      weight,
      dataZero: read(dataZero, 0),
      weightZero: read(weightZero, dataZero === undefined ? 0 : 1),
    };
    body(f, given, rest.slice(zeros));
  });
}

/** Writes the pairs of a constant, or gives them to what packs them. */
export function pairsInto(
  weight: ArrayLike<number>,
  ofWeight: Pairing,
  into: Words,
  pack?: HandKernel['pack'],
): void {
  const pairs = paired(weight, ofWeight);
  // A pair may have the bits of a NaN, which floats need not keep.
  const words = new Int32Array(into.buffer, into.byteOffset, into.length);
  if (pack === undefined) words.set(pairs);
  else pack(pairs, words);
}

/**
 * A kernel on integers: operands are paired, and the kernel of floats `inner` multiplies pairs. It packs
 * pairs of the weight, or the weight itself.
 */
export function onPairs(
  inner: HandKernel,
  { epilogue, isWeightConstant }: Site,
  integers: IntegerOperands,
  ofData: Pairing,
  ofWeight: Pairing,
  packsPairs = true,
): HandKernel {
  const dataBytes = 16 * Math.ceil(pairsOf(ofData) / 4);
  const weightBytes = isWeightConstant ? 0 : 16 * Math.ceil(pairsOf(ofWeight) / 4);
  const { data: from, weight: by } = integers;
  return {
    key: `pairs ${typesOf(integers)} ${isWeightConstant} ${JSON.stringify([ofData, ofWeight])} ${inner.key}`,
    scratchBytes: dataBytes + weightBytes + inner.scratchBytes,
    packedBytes: isWeightConstant ? inner.packedBytes || 4 * pairsOf(ofWeight) : 0,
    packKey: `pairs ${JSON.stringify(ofWeight)} ${inner.packKey}`,
    pack: (weight, into) =>
      packsPairs
        ? pairsInto(weight, ofWeight, into, inner.packedBytes > 0 ? inner.pack : undefined)
        : inner.pack(weight, new Int32Array(into.buffer, into.byteOffset, into.length)),
    emit: (module) => {
      const multiply = inner.emit(module);
      const pairData = pairing(module, from, ofData);
      const pairWeight = isWeightConstant ? undefined : pairing(module, by, ofWeight);
      const operands = epilogue.operands.length;
      return integerFunction(module, integers, operands, (f, given, others) => {
        const scratch = others.at(-1) as I;
        const pairs = f.let(i32.add(scratch, dataBytes));
        pairData(f, given.data, scratch, given.dataZero);
        pairWeight?.(f, given.weight, pairs, given.weightZero);
        const weight = pairWeight ? pairs : given.weight;
        const rest = i32.add(scratch, dataBytes + weightBytes);
        f.do(call(multiply, scratch, weight, ...others.slice(0, -1), rest));
      });
    },
  };
}
