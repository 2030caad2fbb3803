import { unaryFloat } from '../../families/unary.ts';
import { tan as kernel } from '../../kernels/unary.ts';

/** `tan`. */
export const tan = unaryFloat({
  name: 'tan',
  doc: 'The tangent.',
  kernel,
  flops: 1,
});
