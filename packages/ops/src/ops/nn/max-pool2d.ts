/** The operator `nn.max_pool2d`. */
import { f32 } from '../../example-types.ts';
import { maxPooling } from '../../families/pool.ts';
import { maxPool as kernel } from '../../kernels/pool.ts';
import { maxPoolScale } from '../../scale-axis/maps.ts';

export const maxPool2d = maxPooling({
  name: 'nn.max_pool2d',
  rank: 2,
  doc: 'The largest element of each window; padding counts as the least value, NaN wins; two spatial axes.',
  source: 'operators §6; ONNX MaxPool-11',
  kernel,
  scaleAxis: maxPoolScale,
  examples: [
    {
      args: [f32(2, 3, 7, 5)],
      attrs: { pool_size: [2, 2], strides: [2, 2] },
      result: f32(2, 3, 3, 2),
    },
    {
      args: [f32(2, 3, 7, 5)],
      attrs: { pool_size: [2, 2], strides: [2, 2], padding: [1, 1, 0, 0] },
      result: f32(2, 3, 4, 3),
    },
    {
      args: [f32(2, 7, 5, 3)],
      attrs: { pool_size: [2, 2], strides: [2, 2], layout: 'NHWC', ceil_mode: true },
      result: f32(2, 4, 3, 3),
    },
  ],
});
