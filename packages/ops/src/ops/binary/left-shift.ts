import { broadcastInt } from '../../families/binary.ts';
import { leftShift as kernel } from '../../kernels/binary.ts';

/** `left_shift`. */
export const leftShift = broadcastInt({
  name: 'left_shift',
  doc: 'Bits shifted up, by the right side modulo the width.',
  kernel,
  flops: 1,
  sampled: 'by a few bits',
});
