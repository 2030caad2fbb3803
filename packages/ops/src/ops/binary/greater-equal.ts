/** The operator `greater_equal`. */
import { comparison } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const greaterEqual = comparison({
  name: 'greater_equal',
  doc: 'True if the left side is greater or equal.',
  scalar: math.lessEqual(y, x),
  flops: 1,
  onnx: { opType: 'GreaterOrEqual', versions: [12, 16] },
});
