/** The operator `cumprod`. */
import { productOfMany } from '../../bounds/rules.ts';
import { scanning } from '../../families/scan.ts';

export const cumprod = scanning({
  name: 'cumprod',
  doc: 'The product of all elements up to each place, its own left out if `exclusive`.',
  combine: 'mul',
  numerics: 'exact',
  domain: [[-1, 1]],
  bounds: productOfMany,
});
