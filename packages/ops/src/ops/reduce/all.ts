import { discrete } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { reduceForm, reducing } from '../../families/reduction.ts';
import { EVERY } from '../../scalar/folds.ts';

export const all = defineOp({
  name: 'all',
  doc: 'True if all elements are true.',
  signature: reducing('bool'),
  form: reduceForm(EVERY),
  // An element that is not 0 changes the result.
  numerics: 'discontinuous',
  bounds: discrete,
});
