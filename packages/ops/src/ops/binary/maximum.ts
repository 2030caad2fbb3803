/** The operator `maximum`. */
import { broadcastBinary } from '../../families/binary.ts';
import { extremeOfTwo } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const maximum = broadcastBinary({
  name: 'maximum',
  doc: 'The larger; NaN if either side is NaN.',
  scalar: math.max(x, y),
  flops: 1,
  numerics: 'exact',
  onIntegers: extremeOfTwo,
});
