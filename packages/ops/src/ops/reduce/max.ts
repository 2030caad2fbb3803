/** The operator `max`. */
import { extremeGradient, reduction } from '../../families/reduction.ts';
import { max as kernel } from '../../kernels/reduce.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { GREATEST } from '../../scalar/folds.ts';

export const max = reduction({
  name: 'max',
  doc: 'The largest element, NaN if there is one; of bools, the logical or.',
  kernel,
  fold: GREATEST,
  numerics: 'exact',
  domain: 'any',
  gradient: extremeGradient,
  onIntegers: sameOnIntegers,
});
