import { argReduction } from '../../families/reduction.ts';
import { placeOfGreatest } from '../../scalar/folds.ts';

export const argmax = argReduction({
  name: 'argmax',
  doc: 'The index of the largest element: the first of equal ones, or the last with `select_last_index`; the first NaN wins.',
  fold: placeOfGreatest,
});
