/**
 * Reductions of many values to one, as data. A step computes the next state from the state `x` and
 * an element `y`.
 */
import { type DType, dtypeInfo, isBig, isFloat } from '@baton/tensor';
import { math, type Scalar, x, y } from './expr.ts';

export interface Fold {
  /** The state before the first element: a bigint for 64-bit integers. */
  readonly start: number | bigint;
  readonly step: Scalar;
  /**
   * Whether the step tests if an element becomes the state; the result is then the index of the
   * last one that did.
   */
  readonly finds?: true;
}

export type FoldOf = (dtype: DType) => Fold;

const BOTH = math.and(x, math.notEqual(y, 0));
const EITHER = math.or(x, math.notEqual(y, 0));
const PLUS = math.wrap(math.add(x, y));
const PLUS_WIDE = math.add(x, y);
const TIMES = math.wrap(math.mul(x, y));
const GREATER = math.max(x, y);
const LESSER = math.min(x, y);

export const EVERY: FoldOf = () => ({ start: 1, step: BOTH });

export const SOME: FoldOf = () => ({ start: 0, step: EITHER });

/**
 * Σ: of floats in double, rounded at the end; of integers modulo 2^bits; of bools whether any is
 * true.
 */
export const SUM: FoldOf = (dtype) =>
  dtype === 'bool' ? SOME(dtype) : { start: numberOf(0, dtype), step: PLUS };

export const WIDE_SUM: FoldOf = (dtype) => ({ start: numberOf(0, dtype), step: PLUS_WIDE });

/** Π, as Σ; of bools whether all are true. */
export const PRODUCT: FoldOf = (dtype) =>
  dtype === 'bool' ? EVERY(dtype) : { start: numberOf(1, dtype), step: TIMES };

/** The maximum, NaN if there is one; of no elements, −∞ or the least integer. */
export const GREATEST: FoldOf = (dtype) => ({
  start: isFloat(dtype) ? Number.NEGATIVE_INFINITY : dtypeInfo(dtype).min,
  step: GREATER,
});

/** The minimum, NaN if there is one; of no elements, +∞ or the greatest integer. */
export const LEAST: FoldOf = (dtype) => ({
  start: isFloat(dtype) ? Number.POSITIVE_INFINITY : dtypeInfo(dtype).max,
  step: LESSER,
});

/** The index of the maximum, the first or the last of equals; the first NaN wins. */
export const placeOfGreatest =
  (isLast: boolean): FoldOf =>
  (dtype) =>
    found(GREATEST(dtype), isLast ? math.lessEqual(x, y) : math.less(x, y), dtype);

/** The index of the minimum, with the same rules. */
export const placeOfLeast =
  (isLast: boolean): FoldOf =>
  (dtype) =>
    found(LEAST(dtype), isLast ? math.lessEqual(y, x) : math.less(y, x), dtype);

/** If no element is better than the start, the first one is found. */
const found = ({ start }: Fold, isBetter: Scalar, dtype: DType): Fold => ({
  start,
  step: isFloat(dtype) ? math.and(IS_NUMBER, math.or(isBetter, IS_NAN)) : isBetter,
  finds: true,
});

const IS_NUMBER = math.equal(x, x);
const IS_NAN = math.notEqual(y, y);

const numberOf = (value: number, dtype: DType): number | bigint =>
  isBig(dtype) ? BigInt(value) : value;
