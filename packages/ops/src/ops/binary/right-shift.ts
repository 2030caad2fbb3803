/** The operator `right_shift`. */
import { broadcastInt } from '../../families/binary.ts';
import { math, width, x, y } from '../../scalar/expr.ts';

export const rightShift = broadcastInt({
  name: 'right_shift',
  doc: 'Bits shifted down, by the right side modulo the width.',
  scalar: math.shiftRight(x, math.and(y, math.sub(width, 1))),
  flops: 1,
  sampled: 'left_shift',
});
