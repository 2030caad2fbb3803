import { adaptiveMaxPooling } from '../../families/pool.ts';

export const adaptiveMaxPool3d = adaptiveMaxPooling({
  name: 'nn.adaptive_max_pool3d',
  rank: 3,
});
