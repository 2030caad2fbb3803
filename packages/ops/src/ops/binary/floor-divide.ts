/** The operator `floor_divide`. */
import { quotient } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const floorDivide = broadcastBinary({
  name: 'floor_divide',
  doc: 'The quotient rounded toward negative infinity.',
  scalar: math.floorDiv(x, y),
  flops: 1,
  numerics: 'discontinuous',
  bounds: quotient,
});
