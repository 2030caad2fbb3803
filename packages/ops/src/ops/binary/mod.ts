import { remainder } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { truncMod as kernel } from '../../kernels/binary.ts';

/** `mod`. */
export const mod = broadcastBinary({
  name: 'mod',
  doc: 'The remainder with the sign of the left side, as in C.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  bounds: remainder,
  sampled: 'division',
});
