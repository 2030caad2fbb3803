import { f32 } from '../../example-types.ts';
import { transposedConvolution } from '../../families/conv-transpose.ts';

export const conv3dTranspose = transposedConvolution({
  name: 'nn.conv3d_transpose',
  rank: 3,
  examples: [{ args: [f32(1, 2, 3, 2, 4), f32(2, 3, 2, 2, 3)], result: f32(1, 3, 4, 3, 6) }],
});
