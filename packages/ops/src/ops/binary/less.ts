/** The operator `less`. */
import { comparison } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const less = comparison({
  name: 'less',
  doc: 'True if the left side is less.',
  scalar: math.less(x, y),
  flops: 1,
  onnx: { opType: 'Less', versions: [1, 7, 9, 13], broadcastsSince: 7 },
});
