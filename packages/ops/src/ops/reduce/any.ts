/** The operator `any`. */
import { boolReduction } from '../../families/reduction.ts';
import { any as kernel } from '../../kernels/reduce.ts';
import { SOME } from '../../scalar/folds.ts';

export const any = boolReduction({
  name: 'any',
  doc: 'True if any element is true.',
  kernel,
  fold: SOME,
});
