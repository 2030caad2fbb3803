import { broadcastBinary } from '../../families/binary.ts';
import { minimum as kernel } from '../../kernels/binary.ts';

/** `minimum`. */
export const minimum = broadcastBinary({
  name: 'minimum',
  doc: 'The smaller; NaN on either side gives NaN.',
  kernel,
  flops: 1,
  numerics: 'exact',
});
