import { within } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { power as kernel } from '../../kernels/binary.ts';

/** `power`. */
export const power = broadcastBinary({
  name: 'power',
  doc: 'The left side to the power of the right side.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  bounds: within(0, 256),
  sampled: 'to small powers',
});
