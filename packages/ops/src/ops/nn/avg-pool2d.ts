import { avgPooling } from '../../families/pool.ts';

export const avgPool2d = avgPooling({
  name: 'nn.avg_pool2d',
  rank: 2,
  quantizing: 'mean',
});
