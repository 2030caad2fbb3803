/** The operator `mod`. */
import { remainder } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const mod = broadcastBinary({
  name: 'mod',
  doc: 'The remainder with the sign of the left side, as in C.',
  scalar: math.rem(x, y),
  flops: 1,
  numerics: 'discontinuous',
  bounds: remainder,
  sampled: 'floor_divide',
});
