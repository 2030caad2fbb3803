/** `nn.conv2d_transpose`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv2dTranspose: OnnxExporter = convolution('nn.conv2d_transpose', {
  opType: 'ConvTranspose',
  rank: 2,
});
