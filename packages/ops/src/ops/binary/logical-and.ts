import { broadcastLogical } from '../../families/binary.ts';
import { logicalAnd as kernel } from '../../kernels/binary.ts';

/** `logical_and`. */
export const logicalAnd = broadcastLogical({
  name: 'logical_and',
  doc: 'Whether both are true.',
  kernel,
  flops: 1,
  onnx: { opType: 'And', versions: [7] },
});
