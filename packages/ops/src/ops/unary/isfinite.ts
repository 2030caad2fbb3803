/** The operator `isfinite`. */
import { unaryTest } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const isfinite = unaryTest({
  name: 'isfinite',
  doc: 'True for elements that are neither NaN nor infinite.',
  scalar: math.less(math.abs(x), Number.POSITIVE_INFINITY),
  flops: 1,
});
