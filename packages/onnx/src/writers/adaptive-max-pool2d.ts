/** `nn.adaptive_max_pool2d`. */
import { adaptivePooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const adaptiveMaxPool2d: OnnxExporter = adaptivePooling('nn.adaptive_max_pool2d', {
  opType: 'MaxPool',
  rank: 2,
});
