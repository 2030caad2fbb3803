import { quotient } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { floorDivide as kernel } from '../../kernels/binary.ts';

/** `floor_divide`. */
export const floorDivide = broadcastBinary({
  name: 'floor_divide',
  doc: 'The quotient rounded toward negative infinity.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  bounds: quotient,
  sampled: 'division',
});
