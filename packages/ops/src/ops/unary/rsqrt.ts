import { between, ZERO } from '../../bounds/bounds.ts';
import { unaryFloat } from '../../families/unary.ts';
import { rsqrt as kernel } from '../../kernels/unary.ts';

/** `rsqrt`. */
export const rsqrt = unaryFloat({
  name: 'rsqrt',
  doc: 'The reciprocal of the square root.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [[0.125, 65536]],
  bounds: ([x = ZERO]) => between(0, 1 / Math.sqrt(Math.max(x.lo, 0.01))),
});
