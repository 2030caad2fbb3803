/** The operator `nn.avg_pool1d`. */
import { f32 } from '../../example-types.ts';
import { avgPooling } from '../../families/pool.ts';
import { avgPool as kernel } from '../../kernels/pool.ts';
import { avgPoolScale } from '../../scale-axis/maps.ts';

export const avgPool1d = avgPooling({
  name: 'nn.avg_pool1d',
  rank: 1,
  doc: 'The mean of each window, over its cells that are not padding unless asked otherwise; one spatial axis.',
  source: 'operators §6; ONNX AveragePool-11',
  kernel,
  scaleAxis: avgPoolScale,
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
