/** The operator `min`. */
import { extremeGradient, reduction } from '../../families/reduction.ts';
import { min as kernel } from '../../kernels/reduce.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { LEAST } from '../../scalar/folds.ts';

export const min = reduction({
  name: 'min',
  doc: 'The minimum, NaN if there is one; of bools, whether all are true.',
  kernel,
  fold: LEAST,
  numerics: 'exact',
  domain: 'any',
  gradient: extremeGradient,
  onIntegers: sameOnIntegers,
});
