/** Operators that sum products. */
import { sumOfProducts } from '../bounds/rules.ts';
import type { Facts } from '../define-op.ts';

export const sumsProducts: Facts<'fusion' | 'kind' | 'numerics' | 'domain' | 'bounds'> = {
  fusion: 'out_elemwise_fusable',
  kind: 'product',
  numerics: 'exact',
  domain: 'any',
  bounds: sumOfProducts,
};
