import { unaryFloat } from '../../families/unary.ts';
import { atanh as kernel } from '../../kernels/unary.ts';

/** `atanh`. */
export const atanh = unaryFloat({
  name: 'atanh',
  doc: 'The inverse hyperbolic tangent.',
  kernel,
  flops: 1,
});
