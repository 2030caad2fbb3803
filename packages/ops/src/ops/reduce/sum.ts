import { sumOfMany } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { reduceForm, reducing, spread } from '../../families/reduction.ts';
import { SUM } from '../../scalar/folds.ts';

export const sum = defineOp({
  name: 'sum',
  doc: 'The sum of elements; of bools, the logical or.',
  signature: reducing('any'),
  form: reduceForm(SUM),
  // Many terms lose too much.
  precision: 'never',
  bounds: sumOfMany,
  gradient: (site) => [spread(site, site.g)],
});
