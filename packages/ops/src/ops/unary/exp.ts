import { unaryFloat } from '../../families/unary.ts';
import { exp as kernel } from '../../kernels/unary.ts';

/** `exp`. */
export const exp = unaryFloat({
  name: 'exp',
  doc: 'The exponential function.',
  kernel,
  flops: 1,
});
