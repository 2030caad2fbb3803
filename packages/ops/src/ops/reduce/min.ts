import { defineOp } from '../../define-op.ts';
import { extremeGradient, reduceForm, reducing } from '../../families/reduction.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { LEAST } from '../../scalar/folds.ts';

export const min = defineOp({
  name: 'min',
  doc: 'The smallest element, NaN if there is one; of bools, the logical and.',
  signature: reducing('any'),
  form: reduceForm(LEAST),
  gradient: extremeGradient,
  onIntegers: sameOnIntegers,
});
