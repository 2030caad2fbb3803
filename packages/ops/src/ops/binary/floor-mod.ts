/** The operator `floor_mod`. */
import { remainder as remainderBounds } from '../../bounds/rules.ts';
import { broadcastBinary } from '../../families/binary.ts';
import { math, x, y } from '../../scalar/expr.ts';

const rest = math.rem(x, y);

/** Uses the exact remainder: a − b⌊a/b⌋ loses it for large quotients. */
const remainder = math.select(
  math.and(math.notEqual(rest, 0), math.xor(math.less(rest, 0), math.less(y, 0))),
  math.add(rest, y),
  rest,
);

export const floorMod = broadcastBinary({
  name: 'floor_mod',
  doc: 'The remainder with the sign of the right side.',
  scalar: remainder,
  flops: 1,
  numerics: 'discontinuous',
  bounds: remainderBounds,
  sampled: 'floor_divide',
});
