/**
 * Reductions ([operators §3](https://batonjs.github.io/baton/spec/operators#3)). Floats are summed
 * in double and rounded once; integers wrap. Axes are normalized and distinct.
 */
import {
  cast,
  collapseLoops,
  type DType,
  heap,
  isFloat,
  type Memory,
  type NumberData,
  type Shape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { math, x, y } from '../scalar/expr.ts';
import { type Fold, SUM } from '../scalar/folds.ts';
import { gridOffsets } from './copy.ts';
import { mapScalar } from './elementwise.ts';
import { findLoop, foldLoop } from './loops.ts';
import { finish, loadData, numberBuffer } from './values.ts';

export interface Reduction {
  readonly fold: Fold;
  readonly axes: Shape;
  /** Divides the final state. */
  readonly divisor?: number | undefined;
}

/** The result has the other axes, with or without axes of size 1 for the reduced ones. */
export function reduce(
  t: Tensor,
  { fold, axes, divisor }: Reduction,
  { shape, dtype }: { readonly shape: Shape; readonly dtype: DType },
  memory: Memory = heap,
): Tensor {
  if (divisor !== undefined && !isFloat(dtype)) {
    // The total wraps before it is divided.
    const total = reduce(t, { fold, axes }, { shape, dtype }, memory);
    const [totals, quotient] = [total.data as NumberData, dividing(dtype)];
    totals.forEach((sum, i) => {
      totals[i] = quotient(sum, divisor);
    });
    return total;
  }
  const { starts, outer, length, step } = places(t, axes, memory);
  const results = numberBuffer(dtype, starts.length, memory);
  // Numbers or bigints by the dtype; the loops are the same.
  const data = loadData(t, memory) as NumberData;
  const first = fold.start as number;
  const finds = fold.finds === true;
  const run = (finds ? findLoop : foldLoop)(fold.step, t.dtype, data);
  for (let i = 0; i < starts.length; i++) {
    const start = t.offset + (starts[i] as number);
    let [state, index] = [first, 0];
    outer.forEach((place, row) => {
      const at = start + place;
      const next = run(state, data, at, length, step);
      if (!finds) state = next;
      else if (next >= 0) [state, index] = [data[at + next * step] as number, row * length + next];
    });
    if (finds) results[i] = index;
    else results[i] = divisor === undefined ? state : state / divisor;
  }
  return finish(results, shape, dtype, memory);
}

/** The reduced axes stay, with size 1. */
export function reduceKept(t: Tensor, reduction: Reduction, memory: Memory = heap): Tensor {
  const shape = t.shape.map((dim, axis) => (reduction.axes.includes(axis) ? 1 : dim));
  return reduce(t, reduction, { shape, dtype: t.dtype }, memory);
}

/** Of integers truncated, 0 for no elements. */
export function dividing(dtype: DType): (state: number, count: number) => number {
  if (isFloat(dtype)) return (state, count) => state / count;
  return (state, count) => {
    const total = state as number | bigint;
    if (typeof total === 'number') return Math.trunc(total / count);
    // An element of the storage of the dtype.
    return (count === 0 ? 0n : total / BigInt(count)) as unknown as number;
  };
}

/**
 * Σ(x − m)² / n, or / (n − 1) if unbiased; `means` broadcasts against `x`.
 *
 * **Source** [operators §3](https://batonjs.github.io/baton/spec/operators#3), `variance`.
 */
export function variance(
  t: Tensor,
  means: Tensor,
  { axes, isUnbiased }: { readonly axes: Shape; readonly isUnbiased: boolean },
  shape: Shape,
  memory: Memory = heap,
): Tensor {
  const wide = [cast(t, 'float64', memory), cast(means, 'float64', memory)] as const;
  const squares = mapScalar(SQUARED_DIFFERENCE, wide, memory);
  const divisor = sizeAlong(t, axes) - (isUnbiased ? 1 : 0);
  const mean = { fold: SUM('float64'), axes, divisor };
  return cast(reduce(squares, mean, { shape, dtype: 'float64' }, memory), t.dtype, memory);
}

const DIFFERENCE = math.sub(x, y);
const SQUARED_DIFFERENCE = math.mul(DIFFERENCE, DIFFERENCE);

export const sizeAlong = ({ shape }: Tensor, axes: Shape): number =>
  shapeSize(axes.map((axis) => shape[axis] as number));

/** Sums over the axes along which `shape` was broadcast, so that the result has that shape. */
export function sumTo(t: Tensor, shape: Shape, memory: Memory = heap): Tensor {
  const added = t.shape.length - shape.length;
  const axes = t.shape.flatMap((dim, axis) =>
    axis < added || (shape[axis - added] === 1 && dim !== 1) ? [axis] : [],
  );
  const { dtype } = t;
  return axes.length === 0 ? t : reduce(t, { fold: SUM(dtype), axes }, { shape, dtype }, memory);
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
