/** The operator `power`. */
import { within } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const power = broadcastBinary({
  name: 'power',
  doc: 'The left side to the power of the right side.',
  scalar: math.pow(x, y),
  flops: 1,
  numerics: 'smooth',
  bounds: within(0, 256),
});
