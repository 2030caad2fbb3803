import { unaryNumeric } from '../../families/unary.ts';
import { negative as kernel } from '../../kernels/unary.ts';

/** `negative`. */
export const negative = unaryNumeric({
  name: 'negative',
  doc: 'The negation; integers wrap.',
  kernel,
  flops: 1,
});
