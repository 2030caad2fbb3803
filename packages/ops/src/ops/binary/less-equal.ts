/** The operator `less_equal`. */
import { comparison } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const lessEqual = comparison({
  name: 'less_equal',
  doc: 'True if the left side is less or equal.',
  scalar: math.lessEqual(x, y),
  flops: 1,
  onnx: { opType: 'LessOrEqual', versions: [12, 16] },
});
