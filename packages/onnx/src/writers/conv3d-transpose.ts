/** `nn.conv3d_transpose`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const conv3dTranspose: OnnxWriter = convolution('nn.conv3d_transpose', {
  opType: 'ConvTranspose',
  rank: 3,
});
