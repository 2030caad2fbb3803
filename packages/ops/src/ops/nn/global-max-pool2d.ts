import { globalMaxPooling } from '../../families/pool.ts';
import { maxPoolScale } from '../../scale-axis/maps.ts';

export const globalMaxPool2d = globalMaxPooling({
  name: 'nn.global_max_pool2d',
  doc: 'The maximum of each image of each channel.',
  scaleAxis: maxPoolScale,
});
