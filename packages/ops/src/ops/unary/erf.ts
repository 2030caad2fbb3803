import { unaryFloat } from '../../families/unary.ts';
import { erf as kernel } from '../../kernels/unary.ts';

/** `erf`. */
export const erf = unaryFloat({
  name: 'erf',
  doc: 'The Gauss error function.',
  kernel,
  flops: 1,
});
