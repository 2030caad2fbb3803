/** `nn.adaptive_max_pool3d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const adaptiveMaxPool3d: OnnxExporter = adaptivePooling('nn.adaptive_max_pool3d', {
  opType: 'MaxPool',
  rank: 3,
});
