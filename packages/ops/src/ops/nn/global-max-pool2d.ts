/** The operator `nn.global_max_pool2d`. */
import { f32 } from '../../example-types.ts';
import { globalPooling } from '../../families/pool.ts';
import { globalMaxPool as kernel } from '../../kernels/pool.ts';
import { maxPoolScale } from '../../scale-axis/maps.ts';

export const globalMaxPool2d = globalPooling({
  name: 'nn.global_max_pool2d',
  doc: 'The largest element of each image of each channel.',
  kernel,
  scaleAxis: maxPoolScale,
  numerics: 'exact',
  examples: [
    { args: [f32(2, 3, 7, 5)], result: f32(2, 3, 1, 1) },
    { args: [f32(2, 7, 5, 3)], attrs: { layout: 'NHWC' }, result: f32(2, 1, 1, 3) },
  ],
});
