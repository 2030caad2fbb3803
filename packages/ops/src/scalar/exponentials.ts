/** The scalar expressions of softmax and log-softmax. */
import { math, type Scalar, x, y, z } from './expr.ts';

/** e^(x − y): `x` is the element, `y` the maximum of its row. */
export const TERM: Scalar = math.exp(math.sub(x, y));

/** The result for each element, once the row's sum of terms is known. */
export interface Share {
  /** Whether `x` is the term that was computed for the sum, or the element. */
  readonly of: 'term' | 'element';
  /** `y` is the maximum of the row, `z` the sum. */
  readonly value: Scalar;
}

export const SHARE: Share = { of: 'term', value: math.div(x, z) };
export const LOG_SHARE: Share = {
  of: 'element',
  value: math.sub(math.sub(x, y), math.log(z)),
};
