/** The operator `nn.adaptive_max_pool2d`. */
import { f32 } from '../../example-types.ts';
import { adaptivePooling } from '../../families/pool.ts';
import { adaptiveMaxPool as kernel } from '../../kernels/pool.ts';

export const adaptiveMaxPool2d = adaptivePooling({
  name: 'nn.adaptive_max_pool2d',
  rank: 2,
  doc: 'The largest element of each of `output_size` windows, which cover two spatial axes evenly.',
  kernel,
  numerics: 'exact',
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
