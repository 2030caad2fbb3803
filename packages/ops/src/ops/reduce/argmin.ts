import { argReduction } from '../../families/reduction.ts';
import { placeOfLeast } from '../../scalar/folds.ts';

export const argmin = argReduction({
  name: 'argmin',
  doc: 'The index of the smallest element: the first of equal ones, or the last with `select_last_index`; the first NaN wins.',
  fold: placeOfLeast,
});
