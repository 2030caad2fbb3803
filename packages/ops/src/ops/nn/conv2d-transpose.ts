import { f32 } from '../../example-types.ts';
import { transposedConvolution } from '../../families/conv-transpose.ts';
import { outputsOfTransposed, productOnIntegers } from '../../on-integers/rules.ts';

export const conv2dTranspose = transposedConvolution({
  name: 'nn.conv2d_transpose',
  rank: 2,
  onIntegers: productOnIntegers('qnn.conv2d_transpose', outputsOfTransposed),
  examples: [
    {
      args: [f32(1, 3, 4, 4), f32(3, 5, 3, 3)],
      attrs: { strides: [2, 2], padding: [1, 1], output_padding: [1, 1], channels: 5 },
      result: f32(1, 5, 8, 8),
    },
    {
      args: [f32(2, 5, 4, 3), f32(2, 2, 6, 3)],
      attrs: { data_layout: 'NHWC', kernel_layout: 'HWOI' },
      result: f32(2, 6, 5, 6),
    },
  ],
});
