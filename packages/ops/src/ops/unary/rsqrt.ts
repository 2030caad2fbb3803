/** The operator `rsqrt`. */
import { between, ZERO } from '../../bounds/bounds.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const rsqrt = unaryFloat({
  name: 'rsqrt',
  doc: 'The reciprocal of the square root.',
  scalar: math.div(1, math.sqrt(x)),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  domain: [[0.125, 65536]],
  bounds: ([x = ZERO]) => between(0, 1 / Math.sqrt(Math.max(x.lo, 0.01))),
  onIntegers: functionOnIntegers('qnn.rsqrt'),
});
