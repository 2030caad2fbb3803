/** The operator `trunc_divide`. */
import { quotient } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const truncDivide = broadcastBinary({
  name: 'trunc_divide',
  doc: 'The quotient rounded toward 0.',
  scalar: math.trunc(math.div(x, y)),
  flops: 1,
  numerics: 'discontinuous',
  bounds: quotient,
  sampled: 'floor_divide',
});
