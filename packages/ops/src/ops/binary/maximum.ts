import { broadcastBinary } from '../../families/binary.ts';
import { maximum as kernel } from '../../kernels/binary.ts';

/** `maximum`. */
export const maximum = broadcastBinary({
  name: 'maximum',
  doc: 'The larger; NaN on either side gives NaN.',
  kernel,
  flops: 1,
  numerics: 'exact',
});
