/** The operator `argmin`. */
import { argReduction } from '../../families/reduction.ts';
import { argmin as kernel } from '../../kernels/reduce.ts';
import { placeOfLeast } from '../../scalar/folds.ts';

export const argmin = argReduction({
  name: 'argmin',
  doc: 'The index of the minimum: the first of equals, or optionally the last; the first NaN wins.',
  kernel,
  fold: placeOfLeast,
});
