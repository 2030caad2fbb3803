/** `nn.conv1d_transpose`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const conv1dTranspose: OnnxWriter = convolution('nn.conv1d_transpose', {
  opType: 'ConvTranspose',
  rank: 1,
});
