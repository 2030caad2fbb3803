import { f32 } from '../../example-types.ts';
import { transposedConvolution } from '../../families/conv-transpose.ts';

export const conv1dTranspose = transposedConvolution({
  name: 'nn.conv1d_transpose',
  rank: 1,
  examples: [
    { args: [f32(1, 3, 4), f32(3, 5, 3)], attrs: { strides: [2] }, result: f32(1, 5, 9) },
    {
      args: [f32(1, 4, 5), f32(4, 3, 2)],
      attrs: { groups: 2, padding: [1, 0], dilation: [2] },
      result: f32(1, 6, 6),
    },
  ],
});
