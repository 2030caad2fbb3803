/** The operator `isinf`. */
import { unaryTest } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const isinf = unaryTest({
  name: 'isinf',
  doc: 'Whether each element is an infinity.',
  scalar: math.equal(math.abs(x), Number.POSITIVE_INFINITY),
  flops: 1,
});
