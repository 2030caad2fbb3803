/** `nn.adaptive_avg_pool2d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const adaptiveAvgPool2d: OnnxExporter = adaptivePooling('nn.adaptive_avg_pool2d', {
  opType: 'AveragePool',
  rank: 2,
});
