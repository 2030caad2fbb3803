/**
 * A vector times the rows of a matrix, which are read once, as they lie: memory sets the pace.
 *
 * A vector of results is computed at a time: each row is summed in the lanes of one vector.
 */
import {
  call,
  type FunctionBuilder,
  i32,
  type Local,
  type ModuleBuilder,
  type Operand,
  type Value,
  v128,
} from '../emit/index.ts';
import {
  type Addresses,
  kernelFunction,
  operandBytesOf,
  outBytesOf,
  sharedFunction,
} from './function.ts';
import type { HandKernel, IntegerOperands, Site, Words } from './kernel.ts';
import { loadLanes } from './lanes.ts';
import { transpose } from './pack-matrix.ts';
import { integerFunction, typesOf, widenRow } from './pairs.ts';
import { shareOf } from './share.ts';
import {
  type Ending,
  endingKey,
  endingOf,
  loadOperand,
  numbersOf,
  type Step,
  stepOf,
  storeResult,
} from './tile.ts';

/** How the rows of a weight lie, and are multiplied. */
interface Rows {
  readonly count: number;
  /** Equal keys mean equal code of four rows. */
  readonly key: string;
  /** **Units** bytes of a row. */
  readonly bytes: number;
  /** Adds the products of a vector and rows, each in the lanes of one sum. */
  readonly add: (
    f: FunctionBuilder,
    sums: ReadonlyArray<Local<'v128'>>,
    at: readonly [data: I, weight: I],
  ) => void;
}

/** The kernel of a product of a vector and the rows of a weight. */
export function vectorProduct(rows: number, depth: number, site: Site): HandKernel {
  const { epilogue } = site;
  const ending = endingOf(site, 'columns');
  const { bytes } = numbersOf(ending);
  const fused = stepOf(ending);
  const form: Rows = {
    count: rows,
    key: `rows ${depth}`,
    bytes: bytes * depth,
    add: (f, sums, at) => addRows(f, sums, at, { depth, bytes }, fused),
  };
  return {
    key: `vector ${rows} ${depth} ${endingKey(ending)}`,
    scratchBytes: 0,
    packedBytes: 0,
    packKey: '',
    pack: () => {},
    emit: (module) => {
      const multiply = rowByRow(module, form, ending);
      return kernelFunction(module, epilogue, multiply);
    },
  };
}

/** Elements of a row that one step multiplies: two vectors of integers of 16 bits. */
const STEP = 16;

/** The elements of a row of bytes, with zeros to the end of a step. */
const paddedDepth = (depth: number): number => STEP * Math.ceil(depth / STEP);

/**
 * The kernel of a product of a vector of integers and the rows of a constant weight of signed bytes, which stay
 * bytes in memory: half of what pairs of them take. The vector is widened to 16 bits once. Eight bytes of one row
 * lie next to those of the three rows after it.
 *
 * @param isTurned - whether neighbours along the depth of the weight are neighbours in storage.
 */
export function vectorOfBytes(
  rows: number,
  depth: number,
  isTurned: boolean,
  site: Site,
  integers: IntegerOperands,
): HandKernel {
  const { epilogue } = site;
  const ending = endingOf(site, 'columns');
  const padded = paddedDepth(depth);
  const form: Rows = {
    count: rows,
    key: `bytes ${padded}`,
    bytes: padded,
    add: (f, sums, at) => addBytes(f, sums, at, padded, stepOf(ending)),
  };
  return {
    key: `vector of bytes ${typesOf(integers)} ${rows} ${depth} ${endingKey(ending)}`,
    scratchBytes: 2 * padded,
    packedBytes: 4 * padded * Math.ceil(rows / 4),
    packKey: `bytes ${rows} ${depth} ${isTurned}`,
    pack: (weight, into) => packBytes(weight, [rows, depth], isTurned, into),
    emit: (module) => {
      const multiply = rowByRow(module, form, ending);
      const widen = widenRow(module, integers.data);
      return integerFunction(module, integers, epilogue.operands.length, (f, given, others) => {
        const [out, scratch] = others.slice(-2) as [I, I];
        f.do(call(widen, given.data, scratch, depth, given.dataZero));
        multiply(f, { data: scratch, weight: given.weight, operands: others.slice(0, -2), out });
      });
    },
  };
}

/** Packs bytes: of each four rows, eight bytes of one after eight of another. */
function packBytes(
  weight: ArrayLike<number>,
  [rows, depth]: readonly [number, number],
  isTurned: boolean,
  into: Words,
): void {
  const bytes = new Int8Array(into.buffer, into.byteOffset, into.byteLength);
  const [rowStride, depthStride] = isTurned ? [depth, 1] : [1, rows];
  for (let row = 0; row < rows; row++) {
    const start = 4 * paddedDepth(depth) * Math.floor(row / 4) + 8 * (row % 4);
    for (let k = 0; k < depth; k++) {
      bytes[start + 32 * Math.floor(k / 8) + (k % 8)] = weight[
        row * rowStride + k * depthStride
      ] as number;
    }
  }
}

/** Writes the loop over the rows of a weight, a vector of results at a time. */
function rowByRow(module: ModuleBuilder, rows: Rows, ending: Ending) {
  const { epilogue } = ending;
  const { operands } = epilogue;
  const bytes = outBytesOf(epilogue);
  const { lanes } = numbersOf(ending);
  const whole = someRows(module, lanes, rows, ending);
  const tail = rows.count % lanes;
  return (f: FunctionBuilder, given: Omit<Addresses<I>, 'scratch'>): void => {
    const { data, weight, out, operands: places } = given;
    const advance = (count: Operand<'i32'>): void => {
      const move = (place: I, own: number): void => f.increase(place, i32.mul(count, own));
      move(weight, rows.bytes);
      move(out, bytes);
      for (const [i, place] of places.entries()) {
        if (operands[i] !== 'scalar') move(place, operandBytesOf(epilogue, i));
      }
    };
    const { first, end } = shareOf(f, module, rows.count, lanes);
    if (first !== 0) advance(first);
    f.for(first, i32.sub(end, lanes - 1), lanes, () => {
      f.do(call(whole, data, weight, out, ...places));
      advance(lanes);
    });
    if (tail !== 0) {
      const rest = someRows(module, tail, rows, ending);
      f.if(i32.eq(end, rows.count), () => f.do(call(rest, data, weight, out, ...places)));
    }
  };
}

type I = Local<'i32'>;

/** A function that multiplies the rows of up to a vector of results: data, rows, result, operands of the epilogue. */
function someRows(module: ModuleBuilder, rows: number, { key: form, add }: Rows, ending: Ending) {
  const { epilogue } = ending;
  const key = `${form} ${rows} ${endingKey(ending)}`;
  return sharedFunction(module, key, 3 + epilogue.operands.length, (f, ...params) => {
    const [data, weight, out, ...places] = params as unknown as [I, I, I, ...I[]];
    const sums = Array.from({ length: rows }, () => f.local('v128'));
    add(f, sums, [data, weight]);
    const { lanes, add: plus, splat } = numbersOf(ending);
    const others = Array.from({ length: lanes - rows }, () => v128.const(new Float32Array(4)));
    const columns = transpose(f, [...sums, ...others]);
    const whole = columns.reduce((all, one) => plus(all, one));
    const operand = (i: number): Value<'v128'> => {
      const place = places[i] as I;
      if (epilogue.operands[i] === 'scalar') return splat(place);
      return loadOperand(epilogue, i, place, rows, 0);
    };
    const isSame = (i: number): boolean => epilogue.operands[i] === 'scalar';
    const result = epilogue.apply(f, f.let(whole), operand, isSame);
    storeResult(f, epilogue, out, result, rows);
  });
}

function addRows(
  f: FunctionBuilder,
  sums: ReadonlyArray<Local<'v128'>>,
  [data, weight]: readonly [I, I],
  { depth, bytes }: { readonly depth: number; readonly bytes: number },
  fused: Step,
): void {
  const pointers = sums.map((_, i) => f.let(i32.add(weight, bytes * depth * i)));
  const lanes = 16 / bytes;
  const step = (count: number): void => {
    const factors = f.let(loadLanes(data, count, 0, bytes));
    for (const [i, sum] of sums.entries()) {
      f.set(sum, fused(loadLanes(pointers[i] as I, count, 0, bytes), factors, sum));
    }
  };
  if (depth >= lanes) {
    f.repeat(Math.floor(depth / lanes), () => {
      step(lanes);
      for (const pointer of [data, ...pointers]) f.increase(pointer, 16);
    });
  }
  if (depth % lanes !== 0) step(depth % lanes);
}

/** Adds the products of a widened vector and rows of bytes. */
function addBytes(
  f: FunctionBuilder,
  sums: ReadonlyArray<Local<'v128'>>,
  [data, weight]: readonly [I, I],
  padded: number,
  fused: Step,
): void {
  f.repeat(padded / STEP, () => {
    for (const half of [0, 1]) {
      const factors = f.let(v128.load(data, 16 * half));
      for (const [i, sum] of sums.entries()) {
        f.set(sum, fused(v128.load8x8S(weight, 32 * half + 8 * i), factors, sum));
      }
    }
    f.increase(data, 2 * STEP);
    f.increase(weight, 4 * STEP);
  });
}
