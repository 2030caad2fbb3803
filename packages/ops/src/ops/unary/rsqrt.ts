import { unaryFloat } from '../../families/unary.ts';
import { rsqrt as kernel } from '../../kernels/unary.ts';

/** `rsqrt`. */
export const rsqrt = unaryFloat({
  name: 'rsqrt',
  doc: 'The reciprocal of the square root.',
  kernel,
  flops: 1,
});
