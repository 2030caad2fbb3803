import { avgPooling } from '../../families/pool.ts';

export const avgPool1d = avgPooling({
  name: 'nn.avg_pool1d',
  rank: 1,
});
