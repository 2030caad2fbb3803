import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { tanh as kernel } from '../../kernels/unary.ts';

/** `fast_tanh`. */
export const fastTanh = unaryFloat({
  name: 'fast_tanh',
  doc: 'The hyperbolic tangent, with a larger error allowed.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: within(-1, 1),
});
