/**
 * Products in fixed point, `x · y / 2^z`, rounded: `y` has 31 bits and a sign, `x` has 32, and `z`
 * is from 1 to 62. They are computed in int64.
 */
import { math, type Scalar, x, y, z } from './expr.ts';

export type FixedPointRounding = 'UPWARD' | 'TONEAREST';

/** The largest shift in 64 bits. */
const MOST = 63;

const product = math.mul(x, y);
const half = math.shiftLeft(1, math.and(math.sub(z, 1), MOST));
const shifted = (sum: Scalar): Scalar => math.shiftRight(math.wrap(sum), math.and(z, MOST));

export const FIXED_POINT: Readonly<Record<FixedPointRounding, Scalar>> = {
  UPWARD: shifted(math.add(product, half)),
  // Halves of negative products are rounded down.
  TONEAREST: shifted(math.add(math.add(product, half), math.shiftRight(math.wrap(product), MOST))),
};
