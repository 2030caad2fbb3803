import { broadcastBits } from '../../families/binary.ts';
import { bitwiseOr as kernel } from '../../kernels/binary.ts';

/** `bitwise_or`. */
export const bitwiseOr = broadcastBits({
  name: 'bitwise_or',
  doc: 'The bits that either has.',
  kernel,
  flops: 1,
  onnx: { opType: 'BitwiseOr', versions: [18] },
});
