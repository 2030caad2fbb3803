/** The operator `argmin`. */
import { argReduction } from '../../families/reduction.ts';
import { argmin as kernel } from '../../kernels/reduce.ts';
import { placeOfLeast } from '../../scalar/folds.ts';

export const argmin = argReduction({
  name: 'argmin',
  doc: 'The index of the least element: the first of equals, or the last if asked for; the first NaN wins.',
  kernel,
  fold: placeOfLeast,
});
