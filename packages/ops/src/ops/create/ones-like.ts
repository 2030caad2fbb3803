import { filledLike } from '../../families/creation.ts';

export const onesLike = filledLike({
  name: 'ones_like',
  doc: 'A tensor of ones with the type of `data`.',
  value: 1,
});
