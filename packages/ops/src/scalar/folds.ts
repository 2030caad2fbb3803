/**
 * Folds: ways to make one number of many, as data. A step makes a state of a state, `x`, and an
 * element, `y`.
 */
import { type DType, dtypeInfo, isBig, isFloat } from '@baton/tensor';
import { math, type Scalar, x, y } from './expr.ts';

/** A way to make one number of many of a type. */
export interface Fold {
  /** The state before the first element: a bigint for 64-bit integers. */
  readonly start: number | bigint;
  /** The state after an element: `x` the state before, `y` the element. */
  readonly step: Scalar;
  /** Whether the step says if an element becomes the state, and the place of the last that did is found. */
  readonly finds?: true;
}

/** The fold for elements of a type. */
export type FoldOf = (dtype: DType) => Fold;

const BOTH = math.and(x, math.notEqual(y, 0));
const EITHER = math.or(x, math.notEqual(y, 0));
const PLUS = math.wrap(math.add(x, y));
const PLUS_WIDE = math.add(x, y);
const TIMES = math.wrap(math.mul(x, y));
const GREATER = math.max(x, y);
const LESSER = math.min(x, y);

/** Whether all elements are other than 0. */
export const EVERY: FoldOf = () => ({ start: 1, step: BOTH });

/** Whether any element is other than 0. */
export const SOME: FoldOf = () => ({ start: 0, step: EITHER });

/** Σ: of floats in double, rounded at the end; of integers modulo 2^bits; of bools whether any is true. */
export const SUM: FoldOf = (dtype) =>
  dtype === 'bool' ? SOME(dtype) : { start: numberOf(0, dtype), step: PLUS };

/** Σ in which integers do not wrap. */
export const WIDE_SUM: FoldOf = (dtype) => ({ start: numberOf(0, dtype), step: PLUS_WIDE });

/** Π, as Σ; of bools whether all are true. */
export const PRODUCT: FoldOf = (dtype) =>
  dtype === 'bool' ? EVERY(dtype) : { start: numberOf(1, dtype), step: TIMES };

/** The greatest, NaN if there is one; of none −∞ or the least integer. */
export const GREATEST: FoldOf = (dtype) => ({
  start: isFloat(dtype) ? Number.NEGATIVE_INFINITY : dtypeInfo(dtype).min,
  step: GREATER,
});

/** The least, NaN if there is one; of none +∞ or the greatest integer. */
export const LEAST: FoldOf = (dtype) => ({
  start: isFloat(dtype) ? Number.POSITIVE_INFINITY : dtypeInfo(dtype).max,
  step: LESSER,
});

/** The place of the greatest, of the first or of the last of equals; the first NaN wins. */
export const placeOfGreatest =
  (isLast: boolean): FoldOf =>
  (dtype) =>
    found(GREATEST(dtype), isLast ? math.lessEqual(x, y) : math.less(x, y), dtype);

/** The place of the least, with the same rules. */
export const placeOfLeast =
  (isLast: boolean): FoldOf =>
  (dtype) =>
    found(LEAST(dtype), isLast ? math.lessEqual(y, x) : math.less(y, x), dtype);

/** Of elements none of which is better than the start, the first is found. */
const found = ({ start }: Fold, isBetter: Scalar, dtype: DType): Fold => ({
  start,
  step: isFloat(dtype) ? math.and(IS_NUMBER, math.or(isBetter, IS_NAN)) : isBetter,
  finds: true,
});

const IS_NUMBER = math.equal(x, x);
const IS_NAN = math.notEqual(y, y);

const numberOf = (value: number, dtype: DType): number | bigint =>
  isBig(dtype) ? BigInt(value) : value;
