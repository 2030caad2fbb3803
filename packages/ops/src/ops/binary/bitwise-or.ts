/** The operator `bitwise_or`. */
import { broadcastBits } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const bitwiseOr = broadcastBits({
  name: 'bitwise_or',
  doc: 'The bitwise or.',
  scalar: math.or(x, y),
  flops: 1,
  onnx: { opType: 'BitwiseOr', versions: [18] },
});
