import { unaryFloat } from '../../families/unary.ts';
import { acos as kernel } from '../../kernels/unary.ts';

/** `acos`. */
export const acos = unaryFloat({
  name: 'acos',
  doc: 'The inverse cosine.',
  kernel,
  flops: 1,
});
