import { f32 } from '../../example-types.ts';
import { convolution } from '../../families/conv.ts';
import { outputsOfConvolution, productOnIntegers } from '../../on-integers/rules.ts';
import { convolutionScale } from '../../scale-axis/products.ts';

export const conv2d = convolution({
  name: 'nn.conv2d',
  rank: 2,
  scaleAxis: convolutionScale,
  quantizing: 'convolution',
  onIntegers: productOnIntegers('qnn.conv2d', outputsOfConvolution),
  examples: [
    { args: [f32(1, 3, 5, 7), f32(4, 3, 3, 3)], result: f32(1, 4, 3, 5) },
    {
      args: [f32(2, 4, 7, 5), f32(6, 2, 3, 2)],
      attrs: { strides: [2, 1], padding: [1, 0, 2, 1], dilation: [1, 2], groups: 2 },
      result: f32(2, 6, 4, 4),
    },
    {
      args: [f32(1, 5, 5, 3), f32(2, 2, 3, 4)],
      attrs: { data_layout: 'NHWC', kernel_layout: 'HWIO' },
      result: f32(1, 4, 4, 4),
    },
    {
      args: [f32(1, 2, 5, 5, 4), f32(3, 2, 3, 3, 4, 2)],
      attrs: { data_layout: 'NCHW4c', kernel_layout: 'OIHW4i2o', out_layout: 'NCHW2c' },
      result: f32(1, 3, 3, 3, 2),
    },
    {
      args: [f32(1, 3, 4, 4), f32(3, 2, 3, 3)],
      attrs: { groups: 3, channels: 6, kernel_size: [3, 3] },
      result: f32(1, 6, 2, 2),
    },
  ],
});
