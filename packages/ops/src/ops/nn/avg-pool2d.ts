/** The operator `nn.avg_pool2d`. */
import { f32 } from '../../example-types.ts';
import { avgPooling } from '../../families/pool.ts';
import { avgPool as kernel } from '../../kernels/pool.ts';
import { avgPoolScale } from '../../scale-axis/maps.ts';

export const avgPool2d = avgPooling({
  name: 'nn.avg_pool2d',
  rank: 2,
  doc: 'The mean of each window, over its cells that are not padding unless asked otherwise; two spatial axes.',
  source: 'operators §6; ONNX AveragePool-11',
  kernel,
  scaleAxis: avgPoolScale,
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
