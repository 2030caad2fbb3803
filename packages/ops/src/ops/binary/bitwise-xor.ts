import { broadcastBits } from '../../families/binary.ts';
import { bitwiseXor as kernel } from '../../kernels/binary.ts';

/** `bitwise_xor`. */
export const bitwiseXor = broadcastBits({
  name: 'bitwise_xor',
  doc: 'The bits that exactly one has.',
  kernel,
  flops: 1,
  onnx: { opType: 'BitwiseXor', versions: [18] },
});
