import { f32, i8, i32, i32s, u8 } from '../../example-types.ts';
import { quantizedTransposedConvolution } from '../../families/quantized-conv.ts';

export const qnnConv2dTranspose = quantizedTransposedConvolution({
  name: 'qnn.conv2d_transpose',
  rank: 2,
  examples: [
    {
      args: [u8(1, 3, 4, 4), i8(3, 5, 3, 3), i32(), i32(), f32(), f32()],
      attrs: { strides: [2, 2], padding: [1, 1], output_padding: [1, 1], channels: 5 },
      result: i32(1, 5, 8, 8),
    },
    {
      args: [i8(1, 2, 3, 3), i8(2, 2, 2, 2), i32(), i32s(1, -1), f32(), f32(2)],
      result: i32(1, 2, 4, 4),
    },
  ],
});
