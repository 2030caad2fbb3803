import { globalAvgPooling } from '../../families/pool.ts';
import { avgPoolScale } from '../../scale-axis/maps.ts';

export const globalAvgPool2d = globalAvgPooling({
  name: 'nn.global_avg_pool2d',
  doc: 'The mean of each image of each channel.',
  quantizing: 'end',
  scaleAxis: avgPoolScale,
});
