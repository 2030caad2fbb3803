/** The exponentials of softmax. */
import { math, type Scalar, x, y, z } from '../scalar/expr.ts';

/** e^(x − y): `x` the element, `y` the greatest of its row. */
export const TERM: Scalar = math.exp(math.sub(x, y));

/** What becomes of each place of a row, when the row's total of terms is known. */
export interface Share {
  /** What `x` is: the place's term, which was computed for the total, or its element. */
  readonly of: 'term' | 'element';
  /** `y` is the greatest of the row, `z` the total. */
  readonly value: Scalar;
}

/** The term over the total. */
export const SHARE: Share = { of: 'term', value: math.div(x, z) };
/** x − y − log z. */
export const LOG_SHARE: Share = {
  of: 'element',
  value: math.sub(math.sub(x, y), math.log(z)),
};
