/** The operator `equal`. */
import { comparison } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const equal = comparison({
  name: 'equal',
  doc: 'True if both are equal; NaN equals nothing.',
  scalar: math.equal(x, y),
  flops: 1,
  onnx: { opType: 'Equal', versions: [1, 7, 11, 13, 19], broadcastsSince: 7 },
});
