/**
 * Reductions ([operators §3](https://batonjs.github.io/baton/spec/operators#3)). Floats are added
 * up in double and rounded once; integers wrap.
 *
 * Axes are normalized and distinct. The result has the reduced axes with size 1 if `keepDims`,
 * otherwise not at all.
 */
import {
  allocate,
  type BigData,
  cast,
  collapseLoops,
  type DType,
  dtypeInfo,
  heap,
  isBig,
  isFloat,
  type Memory,
  type NumberData,
  reshapeView,
  type Shape,
  shapeSize,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';
import { largerBig, smallerBig } from './binary.ts';
import { gridOffsets } from './copy.ts';
import { type BinaryRule, mapBinary } from './elementwise.ts';
import { type Apply, foldLoop } from './loops.ts';
import { finish, loadData, resultBuffer } from './values.ts';

/** Over which axes to reduce, and what becomes of them. */
export interface ReduceOptions {
  readonly axes: Shape;
  readonly keepDims: boolean;
}

/** Options of the index of an extreme. */
export interface ArgReduceOptions extends ReduceOptions {
  readonly selectLast: boolean;
  readonly outDtype: 'int32' | 'int64';
}

// Steps are named: each has a loop of its own, which is kept with it.
const plus = (s: number, v: number): number => s + v;
const plusInt = (s: number, v: number): number => (s + v) | 0;
const times = (s: number, v: number): number => s * v;
const both = (s: number, v: number): number => (s !== 0 && v !== 0 ? 1 : 0);
const either = (s: number, v: number): number => (s !== 0 || v !== 0 ? 1 : 0);

/** Σ; on bool whether any is true. */
export function sum(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  if (x.dtype === 'bool') return any(x, options, memory);
  return reduce(x, options, memory, {
    number: { start: 0, step: isFloat(x.dtype) ? plus : plusInt },
    big: { start: 0n, step: (s, v) => s + v },
  });
}

/** Π; on bool whether all are true. */
export function prod(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  if (x.dtype === 'bool') return all(x, options, memory);
  return reduce(x, options, memory, {
    number: { start: 1, step: isFloat(x.dtype) ? times : Math.imul },
    big: { start: 1n, step: (s, v) => BigInt.asIntN(64, s * v) },
  });
}

/** The greatest element, NaN if there is one; of none −∞ or the least integer. */
export function max(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  return reduce(x, options, memory, {
    number: { start: least(x.dtype), step: Math.max },
    big: { start: BigInt(isBig(x.dtype) ? dtypeInfo(x.dtype).min : 0), step: largerBig },
  });
}

/** The least element, NaN if there is one; of none +∞ or the greatest integer. */
export function min(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  return reduce(x, options, memory, {
    number: { start: greatest(x.dtype), step: Math.min },
    big: { start: BigInt(isBig(x.dtype) ? dtypeInfo(x.dtype).max : 0), step: smallerBig },
  });
}

/** Whether all elements are other than 0: bool. */
export function all(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  return reduce(x, options, memory, {
    number: { start: 1, step: both },
    big: { start: 1n, step: (s, v) => (s !== 0n && v !== 0n ? 1n : 0n) },
    out: 'bool',
  });
}

/** Whether any element is other than 0: bool. */
export function any(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  return reduce(x, options, memory, {
    number: { start: 0, step: either },
    big: { start: 0n, step: (s, v) => (s !== 0n || v !== 0n ? 1n : 0n) },
    out: 'bool',
  });
}

/** Σ / n. The sum of integers wraps, and the quotient is truncated. Of none: NaN, or 0. */
export function mean(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  const count = reducedCount(x, options);
  if (isFloat(x.dtype)) {
    return reduce(x, options, memory, {
      number: { start: 0, step: plus, last: (s) => s / count },
      big: NO_BIGS,
    });
  }
  const total = sum(x, options, memory);
  if (count === 0) return total;
  return mapBinary(total, total, memory, {
    number: (s) => Math.trunc(s / count),
    big: (s) => s / BigInt(count),
  });
}

/**
 * Σ(x − m)² / n, or / (n − 1) if unbiased; `means` broadcasts against `x`.
 *
 * **Source** [operators §3](https://batonjs.github.io/baton/spec/operators#3), `variance`.
 */
export function variance(
  x: Tensor,
  means: Tensor,
  options: ReduceOptions & { readonly unbiased: boolean },
  memory: Memory = heap,
): Tensor {
  const count = reducedCount(x, options) - (options.unbiased ? 1 : 0);
  const difference = mapBinary(
    cast(x, 'float64', memory),
    cast(means, 'float64', memory),
    memory,
    SQUARED_DIFFERENCE,
  );
  const total = reduce(difference, options, memory, {
    number: { start: 0, step: plus, last: (s) => s / count },
    big: NO_BIGS,
  });
  return cast(total, x.dtype, memory);
}

const SQUARED_DIFFERENCE: BinaryRule = { number: (v, m) => (v - m) * (v - m) };

/** max + log Σ e^(x − max), for floats. */
export function logSumExp(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  const kept = { axes: options.axes, keepDims: true };
  const wide = cast(x, 'float64', memory);
  const peaks = max(wide, kept, memory);
  const total = sum(mapBinary(wide, peaks, memory, EXP_BELOW_PEAK), kept, memory);
  const answer = mapBinary(peaks, total, memory, PEAK_AND_LOG);
  return cast(reshapeView(answer, reducedShape(x, options)), x.dtype, memory);
}

// An infinite peak is the answer already: subtracting it would give NaN.
const EXP_BELOW_PEAK: BinaryRule = {
  number: (v, peak) => Math.exp(Number.isFinite(peak) ? v - peak : 0),
};

const PEAK_AND_LOG: BinaryRule = {
  number: (peak, s) => (Number.isFinite(peak) || Number.isNaN(peak) ? peak + Math.log(s) : peak),
};

/** The index of the greatest element among the reduced ones, in row-major order. */
export const argmax = (x: Tensor, options: ArgReduceOptions, memory: Memory = heap): Tensor =>
  argReduce(x, options, memory, (candidate, best) => candidate > best);

/** The index of the least element among the reduced ones, in row-major order. */
export const argmin = (x: Tensor, options: ArgReduceOptions, memory: Memory = heap): Tensor =>
  argReduce(x, options, memory, (candidate, best) => candidate < best);

/** The sum over whatever axes `shape` was broadcast along, so that the result has that shape. */
export function sumTo(x: Tensor, shape: Shape, memory: Memory = heap): Tensor {
  const added = x.shape.length - shape.length;
  const axes = x.shape.flatMap((dim, axis) =>
    axis < added || (shape[axis - added] === 1 && dim !== 1) ? [axis] : [],
  );
  if (axes.length === 0) return x;
  return reshapeView(sum(x, { axes, keepDims: true }, memory), shape);
}

/** The shape of a reduction's result. */
function reducedShape(x: Tensor, { axes, keepDims }: ReduceOptions): number[] {
  if (keepDims) return x.shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
  return x.shape.filter((_, axis) => !axes.includes(axis));
}

interface Fold<A> {
  readonly start: A;
  readonly step: (state: A, value: A) => A;
  /** What is stored in the end; the state itself if left out. */
  readonly last?: (state: A) => A;
}

interface Reduction {
  readonly number: Fold<number>;
  readonly big: Fold<bigint>;
  /** The type of the result, if not the operand's. */
  readonly out?: 'bool';
}

/** For reductions that have turned to double before. */
const NO_BIGS: Fold<bigint> = { start: 0n, step: (s) => s };

/** Where the elements of one result lie: the outer places, each the start of an even run. */
interface Places {
  readonly starts: Int32Array;
  readonly outer: Int32Array;
  readonly length: number;
  readonly step: number;
}

function places(x: Tensor, axes: Shape, memory: Memory): Places {
  const kept = x.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const ordered = x.shape.map((_, axis) => axis).filter((axis) => axes.includes(axis));
  const pick = (list: Shape, from: Shape) => from.map((axis) => list[axis] as number);
  const nest = collapseLoops(pick(x.shape, ordered), [pick(x.strides, ordered)]);
  const strides = nest.strides[0] as ReadonlyArray<number>;
  const last = nest.shape.length - 1;
  return {
    starts: gridOffsets(pick(x.shape, kept), pick(x.strides, kept), memory),
    outer: gridOffsets(nest.shape.slice(0, last), strides.slice(0, last), memory),
    length: nest.shape[last] as number,
    step: strides[last] as number,
  };
}

function reduce(
  x: Tensor,
  options: ReduceOptions,
  memory: Memory,
  { number, big, out }: Reduction,
): Tensor {
  const dtype = out ?? x.dtype;
  const where = places(x, options.axes, memory);
  const buffer = resultBuffer(dtype, where.starts.length, memory);
  const data = loadData(x, memory);
  if (isBig(x.dtype)) foldBigs(data as BigData, x.offset, where, big, buffer);
  else foldNumbers(data as NumberData, x.offset, where, number, buffer as NumberData);
  return finish(buffer, reducedShape(x, options), dtype, memory);
}

function foldNumbers(
  data: NumberData,
  offset: number,
  { starts, outer, length, step }: Places,
  fold: Fold<number>,
  out: NumberData,
): void {
  const run = foldLoop(fold.step as Apply, data);
  for (let i = 0; i < starts.length; i++) {
    const start = offset + (starts[i] as number);
    let state = fold.start;
    for (const place of outer) state = run(state, data, start + place, length, step);
    out[i] = fold.last === undefined ? state : fold.last(state);
  }
}

function foldBigs(
  data: BigData,
  offset: number,
  { starts, outer, length, step }: Places,
  fold: Fold<bigint>,
  out: TensorData,
): void {
  for (let i = 0; i < starts.length; i++) {
    const start = offset + (starts[i] as number);
    let state = fold.start;
    for (const place of outer) {
      for (let n = 0; n < length; n++) {
        state = fold.step(state, data[start + place + n * step] as bigint);
      }
    }
    // A bool result is stored as a number.
    out[i] = (out instanceof Uint8Array ? Number(state) : state) as never;
  }
}

/** The first NaN wins, whatever `selectLast` says; of no elements the index is 0. */
function argReduce(
  x: Tensor,
  options: ArgReduceOptions,
  memory: Memory,
  isBetter: (candidate: number | bigint, best: number | bigint) => boolean,
): Tensor {
  const { starts, outer, length, step } = places(x, options.axes, memory);
  const data = loadData(x, memory);
  const indices = allocate('float64', starts.length, memory);
  for (let i = 0; i < starts.length; i++) {
    const start = x.offset + (starts[i] as number);
    let best: number | bigint | undefined;
    let index = 0;
    for (const place of outer) {
      for (let n = 0; n < length; n++, index++) {
        const value = data[start + place + n * step] as number | bigint;
        const isTie = options.selectLast && value === best;
        if (best === undefined || isTie || isBetter(value, best) || Number.isNaN(value)) {
          best = value;
          indices[i] = index;
        }
        if (Number.isNaN(value)) break;
      }
      if (Number.isNaN(best)) break;
    }
  }
  const { axes, keepDims } = options;
  const found = tensor(indices, reducedShape(x, { axes, keepDims }), 'float64');
  return cast(found, options.outDtype, memory);
}

const reducedCount = (x: Tensor, { axes }: ReduceOptions): number =>
  shapeSize(axes.map((axis) => x.shape[axis] as number));

const least = (dtype: DType): number =>
  isFloat(dtype) ? Number.NEGATIVE_INFINITY : Number(dtypeInfo(dtype).min);

const greatest = (dtype: DType): number =>
  isFloat(dtype) ? Number.POSITIVE_INFINITY : Number(dtypeInfo(dtype).max);
