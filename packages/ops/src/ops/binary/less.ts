import { comparison } from '../../families/binary.ts';
import { less as kernel } from '../../kernels/binary.ts';

/** `less`. */
export const less = comparison({
  name: 'less',
  doc: 'Whether the left side is less.',
  kernel,
  flops: 1,
  onnx: { opType: 'Less', versions: [7, 9, 13] },
});
