import { filled } from '../../families/creation.ts';

export const ones = filled({
  name: 'ones',
  doc: 'A tensor of ones.',
  value: 1,
});
