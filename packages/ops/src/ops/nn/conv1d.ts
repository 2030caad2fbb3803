import { f32 } from '../../example-types.ts';
import { convolution } from '../../families/conv.ts';
import { convolution1dScale } from '../../scale-axis/products.ts';

export const conv1d = convolution({
  name: 'nn.conv1d',
  rank: 1,
  scaleAxis: convolution1dScale,
  quantizing: 'product',
  examples: [
    { args: [f32(2, 3, 7), f32(4, 3, 3)], result: f32(2, 4, 5) },
    {
      args: [f32(2, 4, 7), f32(6, 2, 3)],
      attrs: { strides: [2], padding: [1, 2], groups: 2 },
      result: f32(2, 6, 4),
    },
    {
      args: [f32(2, 7, 3), f32(2, 3, 4)],
      attrs: { data_layout: 'NWC', kernel_layout: 'WIO' },
      result: f32(2, 6, 4),
    },
  ],
});
