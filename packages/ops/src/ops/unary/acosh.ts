import { unaryFloat } from '../../families/unary.ts';
import { acosh as kernel } from '../../kernels/unary.ts';

/** `acosh`. */
export const acosh = unaryFloat({
  name: 'acosh',
  doc: 'The inverse hyperbolic cosine.',
  kernel,
  flops: 1,
});
