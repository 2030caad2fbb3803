/** The operator `nn.max_pool3d`. */
import { f32 } from '../../example-types.ts';
import { maxPooling } from '../../families/pool.ts';
import { maxPool as kernel } from '../../kernels/pool.ts';
import { maxPoolScale } from '../../scale-axis/maps.ts';

export const maxPool3d = maxPooling({
  name: 'nn.max_pool3d',
  rank: 3,
  doc: 'The largest element of each window; padding counts as the least value, NaN wins; three spatial axes.',
  source: 'operators §6; ONNX MaxPool-11',
  kernel,
  scaleAxis: maxPoolScale,
  examples: [
    {
      args: [f32(1, 2, 5, 7, 3)],
      attrs: { pool_size: [2, 2, 2], strides: [2, 2, 2] },
      result: f32(1, 2, 2, 3, 1),
    },
    {
      args: [f32(1, 2, 5, 7, 3)],
      attrs: { pool_size: [2, 2, 2], strides: [2, 2, 2], padding: [1, 1, 1, 0, 0, 0] },
      result: f32(1, 2, 3, 4, 2),
    },
    {
      args: [f32(1, 5, 7, 3, 2)],
      attrs: { pool_size: [2, 2, 2], strides: [2, 2, 2], layout: 'NDHWC', ceil_mode: true },
      result: f32(1, 3, 4, 2, 2),
    },
  ],
});
