/** The operator `nn.global_avg_pool2d`. */
import { interpolated } from '../../bounds/rules.ts';
import { f32 } from '../../example-types.ts';
import { globalPooling } from '../../families/pool.ts';
import { globalAvgPool as kernel } from '../../kernels/pool.ts';
import { avgPoolScale } from '../../scale-axis/maps.ts';

export const globalAvgPool2d = globalPooling({
  name: 'nn.global_avg_pool2d',
  doc: 'The mean of each image of each channel.',
  kernel,
  scaleAxis: avgPoolScale,
  numerics: 'smooth',
  bounds: interpolated,
  examples: [
    { args: [f32(2, 3, 7, 5)], result: f32(2, 3, 1, 1) },
    { args: [f32(2, 7, 5, 3)], attrs: { layout: 'NHWC' }, result: f32(2, 1, 1, 3) },
  ],
});
