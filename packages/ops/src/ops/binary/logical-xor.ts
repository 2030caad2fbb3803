import { broadcastLogical } from '../../families/binary.ts';
import { logicalXor as kernel } from '../../kernels/binary.ts';

/** `logical_xor`. */
export const logicalXor = broadcastLogical({
  name: 'logical_xor',
  doc: 'Whether exactly one is true.',
  kernel,
  flops: 1,
  onnx: { opType: 'Xor', versions: [7] },
});
