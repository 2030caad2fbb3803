import { unaryFloat } from '../../families/unary.ts';
import { sinh as kernel } from '../../kernels/unary.ts';

/** `sinh`. */
export const sinh = unaryFloat({
  name: 'sinh',
  doc: 'The hyperbolic sine.',
  kernel,
  flops: 1,
});
