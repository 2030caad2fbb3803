import { unaryTest } from '../../families/unary.ts';
import { isInf as kernel } from '../../kernels/unary.ts';

/** `isinf`. */
export const isinf = unaryTest({
  name: 'isinf',
  doc: 'Whether each element is an infinity.',
  kernel,
  flops: 1,
});
