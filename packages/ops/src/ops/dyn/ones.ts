import { filledDynamically } from '../../families/dynamic-fill.ts';
import { ones } from '../create/ones.ts';

export const dynOnes = filledDynamically({
  name: 'dyn.ones',
  doc: 'A tensor of ones of the shape in a vector.',
  of: ones,
  value: 1,
});
