import { unaryTest } from '../../families/unary.ts';
import { isFinites as kernel } from '../../kernels/unary.ts';

/** `isfinite`. */
export const isfinite = unaryTest({
  name: 'isfinite',
  doc: 'Whether each element is neither NaN nor an infinity.',
  kernel,
  flops: 1,
});
