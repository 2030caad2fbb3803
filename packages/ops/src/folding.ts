/**
 * Operators whose elements are each made of many elements of the argument, as data. A view of the
 * argument has the axes of the result, then those that are folded; the state of a fold goes through
 * them, in row-major order where the order matters.
 */
import { type Attrs, type Column, defineColumn } from '@baton/ir';
import { type DType, type Shape, type Tensor, tensor, transposeView } from '@baton/tensor';
import { math, type Scalar, x, y, z } from './scalar/expr.ts';
import type { Fold } from './scalar/folds.ts';

/** The folds of a call. */
export interface Folding extends Fold {
  /** Cells around the argument. */
  readonly padding?: {
    readonly before: Shape;
    readonly after: Shape;
    readonly value: number | bigint;
  };
  /** The padded argument with the axes of the result first, some of size 1 left out. */
  readonly view: (padded: Tensor) => Tensor;
  /** The number of those axes. */
  readonly rank: number;
  /** The last state is divided by these counts, as float64, which broadcast against the result. */
  readonly divisor?: Tensor;
  /** Whether a state of integers wraps to their type before it is divided. */
  readonly isWrapped?: boolean;
}

/** The folds of a call on an argument of this shape and type; `undefined` if it is not one. */
export type FoldingRule<A = Attrs> = (attrs: A, shape: Shape, dtype: DType) => Folding | undefined;

/** The folds that an operator computes; absent if it computes none. */
export const foldingColumn: Column<FoldingRule> = defineColumn('folding');

/** The fold over axes; a mean divides by their size. */
export function overAxes(fold: Fold, axes: Shape, shape: Shape, isMean = false): Folding {
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const count = axes.reduce((product, axis) => product * (shape[axis] as number), 1);
  return {
    ...fold,
    view: (t) => transposeView(t, [...kept, ...axes]),
    rank: kept.length,
    ...(isMean ? { divisor: tensor(Float64Array.of(count), [], 'float64'), isWrapped: true } : {}),
  };
}

/** Windows that slide over the last axes. */
export interface Windows {
  readonly counts: Shape;
  readonly sizes: Shape;
  readonly strides: Shape;
  readonly dilation: Shape;
}

/** A view of each window of the last axes: (…, counts…, sizes…). */
export function windowsView(t: Tensor, { counts, sizes, strides, dilation }: Windows): Tensor {
  const rank = t.shape.length - counts.length;
  const steps = t.strides.slice(rank);
  const scaled = (factors: Shape): number[] =>
    steps.map((step, i) => step * (factors[i] as number));
  return {
    ...t,
    shape: [...t.shape.slice(0, rank), ...counts, ...sizes],
    strides: [...t.strides.slice(0, rank), ...scaled(strides), ...scaled(dilation)],
  };
}

/** Exponentials along an axis: each element by itself, the greatest and a total. */
export interface Exponentials<A = Attrs> {
  readonly axis: (attrs: A) => number;
  /** e^(x − y): `x` the element, `y` the greatest of its row. */
  readonly term: Scalar;
  /** `x` the element, `y` the greatest of its row, `z` the row's total of terms. */
  readonly element: Scalar;
}

/** Operators that divide exponentials by their total; absent for others. */
export const exponentialsColumn: Column<Exponentials> = defineColumn('exponentials');

/** e^(x − y). */
export const TERM: Scalar = math.exp(math.sub(x, y));
/** e^(x − y) / z. */
export const SHARE: Scalar = math.div(TERM, z);
/** x − y − log z. */
export const LOG_SHARE: Scalar = math.sub(math.sub(x, y), math.log(z));
