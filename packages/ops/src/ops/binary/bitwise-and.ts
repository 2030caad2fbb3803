import { broadcastBits } from '../../families/binary.ts';
import { bitwiseAnd as kernel } from '../../kernels/binary.ts';

/** `bitwise_and`. */
export const bitwiseAnd = broadcastBits({
  name: 'bitwise_and',
  doc: 'The bits that both have.',
  kernel,
  flops: 1,
  onnx: { opType: 'BitwiseAnd', versions: [18] },
});
