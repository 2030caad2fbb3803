/** The operator `nn.adaptive_max_pool3d`. */
import { f32 } from '../../example-types.ts';
import { adaptivePooling } from '../../families/pool.ts';
import { adaptiveMaxPool as kernel } from '../../kernels/pool.ts';

export const adaptiveMaxPool3d = adaptivePooling({
  name: 'nn.adaptive_max_pool3d',
  rank: 3,
  doc: 'The largest element of each of `output_size` windows, which cover three spatial axes evenly.',
  kernel,
  numerics: 'exact',
  examples: [
    { args: [f32(1, 2, 5, 7, 3)], attrs: { output_size: [3, 2, 1] }, result: f32(1, 2, 3, 2, 1) },
    {
      args: [f32(1, 5, 7, 3, 2)],
      attrs: { output_size: [1], layout: 'NDHWC' },
      result: f32(1, 1, 1, 1, 2),
    },
    { args: [f32(1, 2, 5, 7, 3)], result: f32(1, 2, 5, 7, 3) },
  ],
});
