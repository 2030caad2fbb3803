import { avgPooling } from '../../families/pool.ts';

export const avgPool3d = avgPooling({
  name: 'nn.avg_pool3d',
  rank: 3,
});
