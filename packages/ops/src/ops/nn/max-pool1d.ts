/** The operator `nn.max_pool1d`. */
import { f32 } from '../../example-types.ts';
import { maxPooling } from '../../families/pool.ts';
import { maxPool as kernel } from '../../kernels/pool.ts';
import { maxPoolScale } from '../../scale-axis/maps.ts';

export const maxPool1d = maxPooling({
  name: 'nn.max_pool1d',
  rank: 1,
  doc: 'The largest element of each window; padding counts as the least value, NaN wins; one spatial axis.',
  source: 'operators §6; ONNX MaxPool-11',
  kernel,
  scaleAxis: maxPoolScale,
  examples: [
    { args: [f32(2, 3, 7)], attrs: { pool_size: [2], strides: [2] }, result: f32(2, 3, 3) },
    {
      args: [f32(2, 3, 7)],
      attrs: { pool_size: [2], strides: [2], padding: [1, 0] },
      result: f32(2, 3, 4),
    },
    {
      args: [f32(2, 7, 3)],
      attrs: { pool_size: [2], strides: [2], layout: 'NWC', ceil_mode: true },
      result: f32(2, 4, 3),
    },
  ],
});
