/** The operator `minimum`. */
import { broadcastBinary } from '../../families/binary.ts';
import { extremeOfTwo } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const minimum = broadcastBinary({
  name: 'minimum',
  doc: 'The smaller; NaN if either side is NaN.',
  scalar: math.min(x, y),
  flops: 1,
  numerics: 'exact',
  onIntegers: extremeOfTwo,
});
