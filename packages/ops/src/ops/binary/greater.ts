import { comparison } from '../../families/binary.ts';
import { greater as kernel } from '../../kernels/binary.ts';

/** `greater`. */
export const greater = comparison({
  name: 'greater',
  doc: 'Whether the left side is greater.',
  kernel,
  flops: 1,
  onnx: { opType: 'Greater', versions: [7, 9, 13] },
});
