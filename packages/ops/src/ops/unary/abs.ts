import { unaryNumeric } from '../../families/unary.ts';
import { abs as kernel } from '../../kernels/unary.ts';

/** `abs`. */
export const abs = unaryNumeric({
  name: 'abs',
  doc: 'The absolute value; the least integer wraps to itself.',
  kernel,
  flops: 1,
});
