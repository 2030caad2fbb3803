/** The operator `cumsum`. */
import { sumOfMany } from '../../bounds/rules.ts';
import { scanning } from '../../families/scan.ts';

export const cumsum = scanning({
  name: 'cumsum',
  doc: 'The sum of all elements up to each place, its own left out if `exclusive`.',
  combine: 'add',
  numerics: 'exact',
  domain: 'any',
  bounds: sumOfMany,
});
