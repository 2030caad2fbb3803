import { comparison } from '../../families/binary.ts';
import { equal as kernel } from '../../kernels/binary.ts';

/** `equal`. */
export const equal = comparison({
  name: 'equal',
  doc: 'Whether both are equal; NaN equals nothing.',
  kernel,
  flops: 1,
  onnx: { opType: 'Equal', versions: [7, 11, 13, 19] },
});
