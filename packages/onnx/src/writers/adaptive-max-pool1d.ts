/** `nn.adaptive_max_pool1d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const adaptiveMaxPool1d: OnnxExporter = adaptivePooling('nn.adaptive_max_pool1d', {
  opType: 'MaxPool',
  rank: 1,
});
