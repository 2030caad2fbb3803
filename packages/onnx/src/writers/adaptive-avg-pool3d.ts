/** `nn.adaptive_avg_pool3d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const adaptiveAvgPool3d: OnnxExporter = adaptivePooling('nn.adaptive_avg_pool3d', {
  opType: 'AveragePool',
  rank: 3,
});
