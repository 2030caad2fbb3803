/** The operator `fast_erf`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const fastErf = unaryFloat({
  name: 'fast_erf',
  doc: 'The Gauss error function, with a larger error allowed.',
  scalar: math.erf(x),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  domain: 'any',
  bounds: within(-1, 1),
});
