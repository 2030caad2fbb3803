/** The operator `nn.avg_pool3d`. */
import { f32 } from '../../example-types.ts';
import { avgPooling } from '../../families/pool.ts';
import { avgPool as kernel } from '../../kernels/pool.ts';
import { avgPoolScale } from '../../scale-axis/maps.ts';

export const avgPool3d = avgPooling({
  name: 'nn.avg_pool3d',
  rank: 3,
  doc: 'The mean of each window, over its cells that are not padding unless asked otherwise; three spatial axes.',
  source: 'operators §6; ONNX AveragePool-11',
  kernel,
  scaleAxis: avgPoolScale,
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
