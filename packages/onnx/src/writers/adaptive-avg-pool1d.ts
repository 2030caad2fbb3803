/** `nn.adaptive_avg_pool1d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const adaptiveAvgPool1d: OnnxExporter = adaptivePooling('nn.adaptive_avg_pool1d', {
  opType: 'AveragePool',
  rank: 1,
});
