/** The operator `not_equal`. */
import { comparison } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const notEqual = comparison({
  name: 'not_equal',
  doc: 'True if both differ; NaN differs from everything.',
  scalar: math.notEqual(x, y),
  flops: 1,
});
