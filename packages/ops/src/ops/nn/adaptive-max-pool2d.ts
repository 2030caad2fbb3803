import { adaptiveMaxPooling } from '../../families/pool.ts';

export const adaptiveMaxPool2d = adaptiveMaxPooling({
  name: 'nn.adaptive_max_pool2d',
  rank: 2,
});
