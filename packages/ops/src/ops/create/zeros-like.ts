import { filledLike } from '../../families/creation.ts';

export const zerosLike = filledLike({
  name: 'zeros_like',
  doc: 'A tensor of zeros with the type of `data`.',
  value: 0,
});
