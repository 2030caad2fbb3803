/** The operator `min`. */
import { extremeGradient, reduction } from '../../families/reduction.ts';
import { min as kernel } from '../../kernels/reduce.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { LEAST } from '../../scalar/folds.ts';

export const min = reduction({
  name: 'min',
  doc: 'The smallest element, NaN if there is one; of bools, the logical and.',
  kernel,
  fold: LEAST,
  numerics: 'exact',
  domain: 'any',
  gradient: extremeGradient,
  onIntegers: sameOnIntegers,
});
