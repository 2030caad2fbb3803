/** The operator `left_shift`. */
import { broadcastInt } from '../../families/binary.ts';
import { math, width, x, y } from '../../scalar/expr.ts';

export const leftShift = broadcastInt({
  name: 'left_shift',
  doc: 'Bits shifted up, by the right side modulo the width.',
  scalar: math.shiftLeft(x, math.and(y, math.sub(width, 1))),
  flops: 1,
});
