import { numericReduction } from '../../families/reduction.ts';
import { mean as kernel } from '../../kernels/reduce.ts';

/** `mean`. */
export const mean = numericReduction({
  name: 'mean',
  doc: 'The mean of elements, in their dtype.',
  kernel,
});
