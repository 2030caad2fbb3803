/**
 * Folds: operators whose elements are each made of many elements of the argument, as data. A view of
 * the argument has the axes of the result, then those that are folded; the state of a fold goes
 * through them.
 */
import { type Attrs, type Column, defineColumn } from '@baton/ir';
import { type Shape, type Tensor, tensor, transposeView } from '@baton/tensor';
import { math, type Scalar, x, y, z } from './scalar/expr.ts';

/** A way to make one number of many floats. */
export interface Fold {
  /** The state before the first element. */
  readonly start: number;
  /** The state after an element: `x` the state before, `y` the element. */
  readonly step: Scalar;
}

/** The sum of floats, taken in double by the reference kernel, which rounds it once. */
export const SUM: Fold = { start: 0, step: math.add(x, y) };
/** The product of floats, taken in double by the reference kernel. */
export const PRODUCT: Fold = { start: 1, step: math.mul(x, y) };
/** The greatest; NaN if there is one. */
export const GREATEST: Fold = { start: Number.NEGATIVE_INFINITY, step: math.max(x, y) };
/** The least; NaN if there is one. */
export const LEAST: Fold = { start: Number.POSITIVE_INFINITY, step: math.min(x, y) };

/** The folds of a call on floats. */
export interface Folding extends Fold {
  /** Cells around the argument. */
  readonly padding?: {
    readonly before: Shape;
    readonly after: Shape;
    readonly value: number;
  };
  /** The padded argument with the axes of the result first, some of size 1 left out. */
  readonly view: (padded: Tensor) => Tensor;
  /** The number of those axes. */
  readonly rank: number;
  /** The last state is divided by these, which broadcast against the result. */
  readonly divisor?: Tensor;
}

/** The folds of a call on an argument of this shape; `undefined` if it is not one. */
export type FoldingRule<A = Attrs> = (attrs: A, shape: Shape) => Folding | undefined;

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
    ...(isMean ? { divisor: tensor(Float32Array.of(count), [], 'float32') } : {}),
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
