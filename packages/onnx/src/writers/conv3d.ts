/** `nn.conv3d`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv3d: OnnxExporter = convolution('nn.conv3d', { opType: 'Conv', rank: 3 });
