/** The operator `nn.adaptive_avg_pool2d`. */
import { interpolated } from '../../bounds/rules.ts';
import { f32 } from '../../example-types.ts';
import { adaptivePooling } from '../../families/pool.ts';
import { adaptiveAvgPool as kernel } from '../../kernels/pool.ts';

export const adaptiveAvgPool2d = adaptivePooling({
  name: 'nn.adaptive_avg_pool2d',
  rank: 2,
  doc: 'The mean of each of `output_size` windows, which cover two spatial axes evenly.',
  kernel,
  numerics: 'smooth',
  bounds: interpolated,
  examples: [
    { args: [f32(2, 3, 7, 5)], attrs: { output_size: [3, 2] }, result: f32(2, 3, 3, 2) },
    {
      args: [f32(2, 7, 5, 3)],
      attrs: { output_size: [1], layout: 'NHWC' },
      result: f32(2, 1, 1, 3),
    },
    { args: [f32(2, 3, 7, 5)], result: f32(2, 3, 7, 5) },
  ],
});
