/** The operator `nn.adaptive_avg_pool1d`. */
import { interpolated } from '../../bounds/rules.ts';
import { f32 } from '../../example-types.ts';
import { adaptivePooling } from '../../families/pool.ts';
import { adaptiveAvgPool as kernel } from '../../kernels/pool.ts';

export const adaptiveAvgPool1d = adaptivePooling({
  name: 'nn.adaptive_avg_pool1d',
  rank: 1,
  doc: 'The mean of each of `output_size` windows, which cover one spatial axis evenly.',
  kernel,
  numerics: 'smooth',
  bounds: interpolated,
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
