import { f32, i8, i32, i32s, u8 } from '../../example-types.ts';
import { quantizedConvolution } from '../../families/quantized-conv.ts';

export const qnnConv2d = quantizedConvolution({
  name: 'qnn.conv2d',
  rank: 2,
  examples: [
    {
      args: [u8(1, 3, 5, 7), i8(4, 3, 3, 3), i32(), i32(), f32(), f32()],
      attrs: { padding: [1, 1] },
      result: i32(1, 4, 5, 7),
    },
    {
      args: [i8(1, 5, 5, 3), i8(3, 3, 3, 2), i32(), i32s(1, -1), f32(), f32(2)],
      attrs: { data_layout: 'NHWC', kernel_layout: 'HWIO', channels: 2 },
      result: i32(1, 3, 3, 2),
    },
  ],
});
