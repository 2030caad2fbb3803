import { f32 } from '../../example-types.ts';
import { convolution } from '../../families/conv.ts';
import { convolutionScale } from '../../scale-axis/products.ts';

export const conv3d = convolution({
  name: 'nn.conv3d',
  rank: 3,
  scaleAxis: convolutionScale,
  examples: [
    { args: [f32(1, 2, 3, 5, 7), f32(3, 2, 2, 3, 2)], result: f32(1, 3, 2, 3, 6) },
    {
      args: [f32(1, 3, 5, 7, 2), f32(2, 3, 2, 2, 3)],
      attrs: { data_layout: 'NDHWC', kernel_layout: 'DHWIO', padding: [1, 0, 0] },
      result: f32(1, 4, 3, 6, 3),
    },
  ],
});
