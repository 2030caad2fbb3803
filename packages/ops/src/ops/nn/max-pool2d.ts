import { maxPooling } from '../../families/pool.ts';

export const maxPool2d = maxPooling({
  name: 'nn.max_pool2d',
  rank: 2,
  quantizing: 'maximum',
});
