/** `nn.conv2d`. */
import { convolution } from '../forms/convolution.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const conv2d: OnnxExporter = convolution('nn.conv2d', { opType: 'Conv', rank: 2 });
