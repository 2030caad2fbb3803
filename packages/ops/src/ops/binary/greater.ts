/** The operator `greater`. */
import { comparison } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const greater = comparison({
  name: 'greater',
  doc: 'True if the left side is greater.',
  scalar: math.less(y, x),
  flops: 1,
  onnx: { opType: 'Greater', versions: [1, 7, 9, 13], broadcastsSince: 7 },
});
