/** The operator `bitwise_and`. */
import { broadcastBits } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const bitwiseAnd = broadcastBits({
  name: 'bitwise_and',
  doc: 'The bitwise and.',
  scalar: math.and(x, y),
  flops: 1,
  onnx: { opType: 'BitwiseAnd', versions: [18] },
});
