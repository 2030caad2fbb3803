/** `nn.conv1d`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv1d: OnnxExporter = convolution('nn.conv1d', { opType: 'Conv', rank: 1 });
