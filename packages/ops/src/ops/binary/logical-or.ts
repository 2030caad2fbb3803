import { broadcastLogical } from '../../families/binary.ts';
import { logicalOr as kernel } from '../../kernels/binary.ts';

/** `logical_or`. */
export const logicalOr = broadcastLogical({
  name: 'logical_or',
  doc: 'Whether either is true.',
  kernel,
  flops: 1,
  onnx: { opType: 'Or', versions: [7] },
});
