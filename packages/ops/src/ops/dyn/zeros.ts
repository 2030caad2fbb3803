import { filledDynamically } from '../../families/dynamic-fill.ts';
import { zeros } from '../create/zeros.ts';

export const dynZeros = filledDynamically({
  name: 'dyn.zeros',
  doc: 'A tensor of zeros of the shape in a vector.',
  of: zeros,
  value: 0,
});
