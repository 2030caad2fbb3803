import { comparison } from '../../families/binary.ts';
import { notEqual as kernel } from '../../kernels/binary.ts';

/** `not_equal`. */
export const notEqual = comparison({
  name: 'not_equal',
  doc: 'Whether both differ; NaN differs from everything.',
  kernel,
  flops: 1,
});
