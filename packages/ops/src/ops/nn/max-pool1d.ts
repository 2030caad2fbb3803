import { maxPooling } from '../../families/pool.ts';

export const maxPool1d = maxPooling({
  name: 'nn.max_pool1d',
  rank: 1,
  quantizing: 'maximum',
});
