/** The operator `isinf`. */
import { unaryTest } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const isinf = unaryTest({
  name: 'isinf',
  doc: 'True for elements that are infinite.',
  scalar: math.equal(math.abs(x), Number.POSITIVE_INFINITY),
  flops: 1,
});
