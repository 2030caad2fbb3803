/** The operator `bitwise_xor`. */
import { broadcastBits } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const bitwiseXor = broadcastBits({
  name: 'bitwise_xor',
  doc: 'The bitwise exclusive or.',
  scalar: math.xor(x, y),
  flops: 1,
  onnx: { opType: 'BitwiseXor', versions: [18] },
});
