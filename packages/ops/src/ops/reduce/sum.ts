/** The operator `sum`. */
import { sumOfMany } from '../../bounds/rules.ts';
import { reduction, spread } from '../../families/reduction.ts';
import { sum as kernel } from '../../kernels/reduce.ts';
import { SUM } from '../../scalar/folds.ts';

export const sum = reduction({
  name: 'sum',
  doc: 'The sum of elements; of bools, the logical or.',
  kernel,
  fold: SUM,
  numerics: 'exact',
  precision: 'never',
  domain: 'any',
  bounds: sumOfMany,
  gradient: (site) => [spread(site, site.g)],
});
