import { comparison } from '../../families/binary.ts';
import { greaterEqual as kernel } from '../../kernels/binary.ts';

/** `greater_equal`. */
export const greaterEqual = comparison({
  name: 'greater_equal',
  doc: 'Whether the left side is greater or equal.',
  kernel,
  flops: 1,
  onnx: { opType: 'GreaterOrEqual', versions: [12, 16] },
});
