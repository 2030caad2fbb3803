import { filled } from '../../families/creation.ts';

export const zeros = filled({
  name: 'zeros',
  doc: 'A tensor of zeros.',
  value: 0,
});
