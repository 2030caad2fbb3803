/** The operator `fast_tanh`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const fastTanh = unaryFloat({
  name: 'fast_tanh',
  doc: 'The hyperbolic tangent, with a larger error allowed.',
  scalar: math.tanh(x),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  domain: 'any',
  bounds: within(-1, 1),
});
