import { unaryFloat } from '../../families/unary.ts';
import { sqrt as kernel } from '../../kernels/unary.ts';

/** `sqrt`. */
export const sqrt = unaryFloat({
  name: 'sqrt',
  doc: 'The square root.',
  kernel,
  flops: 1,
});
