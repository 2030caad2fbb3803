/** The rectifier with a slope. */
import { math, type Scalar, x, y } from './expr.ts';

export const rectifier: Scalar = math.select(math.less(0, x), x, math.mul(y, x));
