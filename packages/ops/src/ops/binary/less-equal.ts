import { comparison } from '../../families/binary.ts';
import { lessEqual as kernel } from '../../kernels/binary.ts';

/** `less_equal`. */
export const lessEqual = comparison({
  name: 'less_equal',
  doc: 'Whether the left side is less or equal.',
  kernel,
  flops: 1,
  onnx: { opType: 'LessOrEqual', versions: [12, 16] },
});
