import { remainder } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { floorMod as kernel } from '../../kernels/binary.ts';

/** `floor_mod`. */
export const floorMod = broadcastBinary({
  name: 'floor_mod',
  doc: 'The remainder with the sign of the right side.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  bounds: remainder,
  sampled: 'division',
});
