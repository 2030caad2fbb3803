/** The exponentials of softmax: `x` the element, `y` the greatest of its row, `z` the total. */
import { math, type Scalar, x, y, z } from '../scalar/expr.ts';

/** e^(x − y). */
export const TERM: Scalar = math.exp(math.sub(x, y));
/** e^(x − y) / z. */
export const SHARE: Scalar = math.div(TERM, z);
/** x − y − log z. */
export const LOG_SHARE: Scalar = math.sub(math.sub(x, y), math.log(z));
