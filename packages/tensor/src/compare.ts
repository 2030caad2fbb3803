/** Comparison of tensors. */
import { invariant } from '@baton/base';
import { toBigInts, toNumbers } from './access.ts';
import { isBig } from './dtype.ts';
import { sameShape } from './shape.ts';
import { dense } from './strided.ts';
import type { Tensor } from './tensor.ts';

export interface Comparison {
  /** max |a − b|; infinite if only one is NaN, or if infinities differ. */
  readonly maxAbsError: number;
  /** max |a − b| / max(|b|, rms b): the rms limits the weight of values near 0. */
  readonly maxRelError: number;
  /** Whether both have NaNs at the same indices. */
  readonly equalNaNs: boolean;
  /** The row-major index of the first element that differs (0 and −0 do not), or `undefined`. */
  readonly firstDifference: number | undefined;
}

/** The bounds of {@link allClose}: |a − b| ≤ atol + rtol·|b|. */
export interface Tolerance {
  readonly atol: number;
  readonly rtol: number;
}

/** Whether dtype, shape and all bits are equal (all NaNs count as equal). 0 and −0 differ. */
export function tensorsEqual(a: Tensor, b: Tensor): boolean {
  return allElements(a, b, Object.is);
}

/** Whether dtype, shape and all values are equal (all NaNs count as equal). 0 and −0 are equal. */
export function valuesEqual(a: Tensor, b: Tensor): boolean {
  return allElements(a, b, (x, y) => x === y || (Number.isNaN(x) && Number.isNaN(y)));
}

/**
 * The differences between `a` and the expected `b`, which have one shape; dtypes may differ. 64-bit
 * integers are subtracted exactly.
 */
export function compareTensors(a: Tensor, b: Tensor): Comparison {
  invariant(sameShape(a.shape, b.shape), 'compared tensors have one shape');
  const exact = isBig(a.dtype) && isBig(b.dtype) ? bigDifferences(a, b) : undefined;
  const found = toNumbers(a);
  const expected = toNumbers(b);
  const floor = rootMeanSquare(expected);
  let maxAbsError = 0;
  let maxRelError = 0;
  let equalNaNs = true;
  let firstDifference: number | undefined;
  for (let i = 0; i < found.length; i++) {
    const x = found[i] as number;
    const y = expected[i] as number;
    const error = exact === undefined ? absoluteError(x, y) : (exact[i] as number);
    if (error === 0) continue;
    firstDifference ??= i;
    if (Number.isNaN(x) !== Number.isNaN(y)) equalNaNs = false;
    const scale = Math.max(Math.abs(y), floor);
    const relative = Number.isFinite(error) && scale > 0 ? error / scale : Number.POSITIVE_INFINITY;
    maxAbsError = Math.max(maxAbsError, error);
    maxRelError = Math.max(maxRelError, relative);
  }
  return { maxAbsError, maxRelError, equalNaNs, firstDifference };
}

/** Whether shapes are equal and every |a − b| ≤ atol + rtol·|b|; NaN matches only NaN. */
export function allClose(a: Tensor, b: Tensor, tolerance: Tolerance): boolean {
  if (!sameShape(a.shape, b.shape)) return false;
  const found = toNumbers(a);
  const expected = toNumbers(b);
  for (let i = 0; i < found.length; i++) {
    const y = expected[i] as number;
    const error = absoluteError(found[i] as number, y);
    if (error === 0) continue;
    const bound = tolerance.atol + tolerance.rtol * Math.abs(y);
    if (!(Number.isFinite(error) && error <= bound)) return false;
  }
  return true;
}

function allElements(
  a: Tensor,
  b: Tensor,
  same: (x: number | bigint | undefined, y: number | bigint | undefined) => boolean,
): boolean {
  if (a.dtype !== b.dtype || !sameShape(a.shape, b.shape)) return false;
  if (a === b) return true;
  const [x, y] = isBig(a.dtype) ? [dense(a).data, dense(b).data] : [toNumbers(a), toNumbers(b)];
  for (let i = 0; i < x.length; i++) if (!same(x[i], y[i])) return false;
  return true;
}

/** |x − y|; 0 for two NaNs or equal infinities, infinite for values of different kinds. */
export function absoluteError(x: number, y: number): number {
  if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return 0;
  const error = Math.abs(x - y);
  return !Number.isNaN(error) ? error : Number.POSITIVE_INFINITY;
}

function bigDifferences(a: Tensor, b: Tensor): Float64Array {
  const y = toBigInts(b);
  return Float64Array.from(toBigInts(a), (x, i) => Math.abs(Number(x - (y[i] as bigint))));
}

/** The root mean square of the finite values; 0 if there is none. */
export function rootMeanSquare(values: ArrayLike<number>): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isFinite(value)) continue;
    sum += value * value;
    count++;
  }
  return count === 0 ? 0 : Math.sqrt(sum / count);
}
