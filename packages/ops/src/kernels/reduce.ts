/**
 * Reductions ([operators §3](https://batonjs.github.io/baton/spec/operators#3)). Floats are summed
 * in double and rounded once; integers wrap. Axes are normalized and distinct. With `keepDims` the
 * result has the reduced axes with size 1, otherwise not at all.
 */
import {
  allocate,
  cast,
  collapseLoops,
  heap,
  isBig,
  isFloat,
  type Memory,
  type NumberData,
  reshapeView,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
  tensor,
} from '@baton/tensor';
import { math, x, y } from '../scalar/expr.ts';
import { EVERY, type Fold, GREATEST, LEAST, PRODUCT, SOME, SUM } from '../scalar/folds.ts';
import { gridOffsets } from './copy.ts';
import { mapScalar } from './elementwise.ts';
import { foldLoop } from './loops.ts';
import { finish, loadData, numberBuffer } from './values.ts';

export interface ReduceOptions {
  readonly axes: Shape;
  readonly keepDims: boolean;
}

export interface ArgReduceOptions extends ReduceOptions {
  readonly selectLast: boolean;
  readonly outDtype: 'int32' | 'int64';
}

/** Σ; on bool whether any is true. */
export const sum = (x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor =>
  reduce(x, options, memory, SUM(x.dtype));

/** Π; on bool whether all are true. */
export const prod = (x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor =>
  reduce(x, options, memory, PRODUCT(x.dtype));

/** The maximum, NaN if there is one; of no elements, −∞ or the least integer. */
export const max = (x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor =>
  reduce(x, options, memory, GREATEST(x.dtype));

/** The minimum, NaN if there is one; of no elements, +∞ or the greatest integer. */
export const min = (x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor =>
  reduce(x, options, memory, LEAST(x.dtype));

export const all = (x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor =>
  reduce(x, options, memory, { ...EVERY(x.dtype), out: 'bool' });

export const any = (x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor =>
  reduce(x, options, memory, { ...SOME(x.dtype), out: 'bool' });

/** Σ / n. The sum of integers wraps, and the quotient is truncated. Of no elements: NaN, or 0. */
export function mean(x: Tensor, options: ReduceOptions, memory: Memory = heap): Tensor {
  const count = reducedCount(x, options);
  if (isFloat(x.dtype)) {
    return reduce(x, options, memory, { ...SUM(x.dtype), last: (s) => s / count });
  }
  const total = sum(x, options, memory);
  // The count need not fit in the dtype.
  const divisor = scalar(count, isBig(x.dtype) ? 'int64' : 'float64', memory);
  return mapScalar(QUOTIENT, [total, divisor], memory);
}

const QUOTIENT = math.div(x, y);

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
  const wide = [cast(x, 'float64', memory), cast(means, 'float64', memory)] as const;
  const squares = mapScalar(SQUARED_DIFFERENCE, wide, memory);
  const last = (s: number): number => s / count;
  return cast(reduce(squares, options, memory, { ...SUM('float64'), last }), x.dtype, memory);
}

const DIFFERENCE = math.sub(x, y);
const SQUARED_DIFFERENCE = math.mul(DIFFERENCE, DIFFERENCE);

/** The index of the maximum among the reduced elements, in row-major order. */
export const argmax = (x: Tensor, options: ArgReduceOptions, memory: Memory = heap): Tensor =>
  argReduce(x, options, memory, (candidate, best) => candidate > best);

/** The index of the minimum among the reduced elements, in row-major order. */
export const argmin = (x: Tensor, options: ArgReduceOptions, memory: Memory = heap): Tensor =>
  argReduce(x, options, memory, (candidate, best) => candidate < best);

/** Sums over the axes along which `shape` was broadcast, so that the result has that shape. */
export function sumTo(x: Tensor, shape: Shape, memory: Memory = heap): Tensor {
  const added = x.shape.length - shape.length;
  const axes = x.shape.flatMap((dim, axis) =>
    axis < added || (shape[axis - added] === 1 && dim !== 1) ? [axis] : [],
  );
  if (axes.length === 0) return x;
  return reshapeView(sum(x, { axes, keepDims: true }, memory), shape);
}

function reducedShape(x: Tensor, { axes, keepDims }: ReduceOptions): number[] {
  if (keepDims) return x.shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
  return x.shape.filter((_, axis) => !axes.includes(axis));
}

interface Reduction extends Fold {
  /** Converts the final state to the stored value, for floats. Default: the identity. */
  readonly last?: (state: number) => number;
  /** The dtype of the result, if it differs from the operand's. */
  readonly out?: 'bool';
}

/** The offsets of one result's elements: each outer offset begins an evenly spaced run. */
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

function reduce(x: Tensor, options: ReduceOptions, memory: Memory, reduction: Reduction): Tensor {
  const dtype = reduction.out ?? x.dtype;
  const { starts, outer, length, step } = places(x, options.axes, memory);
  const buffer = numberBuffer(dtype, starts.length, memory);
  const data = loadData(x, memory);
  const run = foldLoop(reduction.step, x.dtype, data);
  for (let i = 0; i < starts.length; i++) {
    const start = x.offset + (starts[i] as number);
    // Numbers or bigints by storage; the loop is the same.
    let state = reduction.start as number;
    for (const place of outer) state = run(state, data as NumberData, start + place, length, step);
    buffer[i] = reduction.last === undefined ? state : reduction.last(state);
  }
  return finish(buffer, reducedShape(x, options), dtype, memory);
}

/** The first NaN wins whatever `selectLast` is; without elements the index is 0. */
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
