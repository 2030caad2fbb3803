/** The operator `all`. */
import { boolReduction } from '../../families/reduction.ts';
import { all as kernel } from '../../kernels/reduce.ts';
import { EVERY } from '../../scalar/folds.ts';

export const all = boolReduction({
  name: 'all',
  doc: 'True if all elements are true.',
  kernel,
  fold: EVERY,
});
