import { quotient } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { truncDivide as kernel } from '../../kernels/binary.ts';

/** `trunc_divide`. */
export const truncDivide = broadcastBinary({
  name: 'trunc_divide',
  doc: 'The quotient rounded toward 0.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  bounds: quotient,
  sampled: 'division',
});
