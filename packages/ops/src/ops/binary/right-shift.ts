import { broadcastInt } from '../../families/binary.ts';
import { rightShift as kernel } from '../../kernels/binary.ts';

/** `right_shift`. */
export const rightShift = broadcastInt({
  name: 'right_shift',
  doc: 'Bits shifted down, by the right side modulo the width.',
  kernel,
  flops: 1,
  sampled: 'by a few bits',
});
