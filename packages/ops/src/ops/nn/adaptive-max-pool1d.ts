/** The operator `nn.adaptive_max_pool1d`. */
import { f32 } from '../../example-types.ts';
import { adaptivePooling } from '../../families/pool.ts';
import { adaptiveMaxPool as kernel } from '../../kernels/pool.ts';

export const adaptiveMaxPool1d = adaptivePooling({
  name: 'nn.adaptive_max_pool1d',
  rank: 1,
  doc: 'The largest element of each of `output_size` windows, which cover one spatial axis evenly.',
  kernel,
  numerics: 'exact',
  examples: [
    { args: [f32(2, 3, 7)], attrs: { output_size: [3] }, result: f32(2, 3, 3) },
    {
      args: [f32(2, 7, 3)],
      attrs: { output_size: [1], layout: 'NWC' },
      result: f32(2, 1, 3),
    },
    { args: [f32(2, 3, 7)], result: f32(2, 3, 7) },
  ],
});
