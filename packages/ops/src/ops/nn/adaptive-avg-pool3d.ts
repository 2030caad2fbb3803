import { adaptiveAvgPooling } from '../../families/pool.ts';

export const adaptiveAvgPool3d = adaptiveAvgPooling({
  name: 'nn.adaptive_avg_pool3d',
  rank: 3,
});
