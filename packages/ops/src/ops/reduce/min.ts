/** The operator `min`. */
import { defineOp } from '../../define-op.ts';
import { extremeGradient, reducedBy, reduceForm, reducing } from '../../families/reduction.ts';
import { min as kernel } from '../../kernels/reduce.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { LEAST } from '../../scalar/folds.ts';

export const min = defineOp({
  name: 'min',
  doc: 'The smallest element, NaN if there is one; of bools, the logical and.',
  signature: reducing('any'),
  kernel: reducedBy(kernel),
  form: reduceForm(LEAST),
  gradient: extremeGradient,
  onIntegers: sameOnIntegers,
});
