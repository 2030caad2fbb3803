/** `nn.conv3d_transpose`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv3dTranspose: OnnxExporter = convolution('nn.conv3d_transpose', {
  opType: 'ConvTranspose',
  rank: 3,
});
