import { adaptiveAvgPooling } from '../../families/pool.ts';

export const adaptiveAvgPool2d = adaptiveAvgPooling({
  name: 'nn.adaptive_avg_pool2d',
  rank: 2,
});
