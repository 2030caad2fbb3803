import { discrete } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { reduceForm, reducing } from '../../families/reduction.ts';
import { SOME } from '../../scalar/folds.ts';

export const any = defineOp({
  name: 'any',
  doc: 'True if any element is true.',
  signature: reducing('bool'),
  form: reduceForm(SOME),
  // An element that is not 0 changes the result.
  numerics: 'discontinuous',
  bounds: discrete,
});
