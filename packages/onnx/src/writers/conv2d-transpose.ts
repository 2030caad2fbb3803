/** `nn.conv2d_transpose`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const conv2dTranspose: OnnxWriter = convolution('nn.conv2d_transpose', {
  opType: 'ConvTranspose',
  rank: 2,
});
