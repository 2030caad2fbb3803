/** The operator `fast_exp`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const fastExp = unaryFloat({
  name: 'fast_exp',
  doc: 'The exponential function, with a larger error allowed.',
  scalar: math.exp(x),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  domain: [[-32, 5]],
  bounds: rising(Math.exp),
});
