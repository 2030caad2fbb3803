/** `nn.conv1d_transpose`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv1dTranspose: OnnxExporter = convolution('nn.conv1d_transpose', {
  opType: 'ConvTranspose',
  rank: 1,
});
