import { productOfMany } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { foldedProduct, reduceForm, reducing } from '../../families/reduction.ts';
import { PRODUCT } from '../../scalar/folds.ts';

export const prod = defineOp({
  name: 'prod',
  doc: 'The product of elements; of bools, the logical and.',
  signature: reducing('any'),
  form: reduceForm(PRODUCT),
  // Many terms lose too much.
  precision: 'never',
  domain: [[-1, 1]],
  bounds: productOfMany,
  // A product of halves, so that nothing is divided by a factor.
  definition: foldedProduct,
});
