import { adaptiveAvgPooling } from '../../families/pool.ts';

export const adaptiveAvgPool1d = adaptiveAvgPooling({
  name: 'nn.adaptive_avg_pool1d',
  rank: 1,
});
