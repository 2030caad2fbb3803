import { defineOp } from '../../define-op.ts';
import { extremeGradient, reduceForm, reducing } from '../../families/reduction.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { GREATEST } from '../../scalar/folds.ts';

export const max = defineOp({
  name: 'max',
  doc: 'The largest element, NaN if there is one; of bools, the logical or.',
  signature: reducing('any'),
  form: reduceForm(GREATEST),
  gradient: extremeGradient,
  onIntegers: sameOnIntegers,
});
