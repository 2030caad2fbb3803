/** The operator `isfinite`. */
import { unaryTest } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const isfinite = unaryTest({
  name: 'isfinite',
  doc: 'Whether each element is neither NaN nor an infinity.',
  scalar: math.less(math.abs(x), Number.POSITIVE_INFINITY),
  flops: 1,
});
