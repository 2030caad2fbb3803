/** The operator `prod`. */

import { productOfMany } from '../../bounds/rules.ts';
import { foldedProduct, reduction } from '../../families/reduction.ts';
import { prod as kernel } from '../../kernels/reduce.ts';
import { PRODUCT } from '../../scalar/folds.ts';

export const prod = reduction({
  name: 'prod',
  doc: 'The product of elements; of bools, the logical and.',
  kernel,
  fold: PRODUCT,
  numerics: 'exact',
  precision: 'never',
  domain: [[-1, 1]],
  bounds: productOfMany,
  // A product of halves, so that nothing is divided by a factor.
  definition: foldedProduct,
});
