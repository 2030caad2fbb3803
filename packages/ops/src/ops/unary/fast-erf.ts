import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { erf as kernel } from '../../kernels/unary.ts';

/** `fast_erf`. */
export const fastErf = unaryFloat({
  name: 'fast_erf',
  doc: 'The Gauss error function, with a larger error allowed.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: within(-1, 1),
});
