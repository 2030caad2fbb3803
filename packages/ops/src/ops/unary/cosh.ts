import { unaryFloat } from '../../families/unary.ts';
import { cosh as kernel } from '../../kernels/unary.ts';

/** `cosh`. */
export const cosh = unaryFloat({
  name: 'cosh',
  doc: 'The hyperbolic cosine.',
  kernel,
  flops: 1,
});
