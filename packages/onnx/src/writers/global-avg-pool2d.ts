/** `nn.global_avg_pool2d`. */
import { globalPooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const globalAvgPool2d: OnnxExporter = globalPooling(
  'nn.global_avg_pool2d',
  'GlobalAveragePool',
);
