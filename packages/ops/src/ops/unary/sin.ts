import { unaryFloat } from '../../families/unary.ts';
import { sin as kernel } from '../../kernels/unary.ts';

/** `sin`. */
export const sin = unaryFloat({
  name: 'sin',
  doc: 'The sine.',
  kernel,
  flops: 1,
});
