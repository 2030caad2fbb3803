import { maxPooling } from '../../families/pool.ts';

export const maxPool3d = maxPooling({
  name: 'nn.max_pool3d',
  rank: 3,
});
