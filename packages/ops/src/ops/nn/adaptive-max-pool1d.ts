import { adaptiveMaxPooling } from '../../families/pool.ts';

export const adaptiveMaxPool1d = adaptiveMaxPooling({
  name: 'nn.adaptive_max_pool1d',
  rank: 1,
});
