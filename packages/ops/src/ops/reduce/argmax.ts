/** The operator `argmax`. */
import { argReduction } from '../../families/reduction.ts';
import { argmax as kernel } from '../../kernels/reduce.ts';
import { placeOfGreatest } from '../../scalar/folds.ts';

export const argmax = argReduction({
  name: 'argmax',
  doc: 'The index of the maximum: the first of equals, or optionally the last; the first NaN wins.',
  kernel,
  fold: placeOfGreatest,
});
