/** `nn.avg_pool2d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const avgPool2d: OnnxExporter = pooling('nn.avg_pool2d', { opType: 'AveragePool', rank: 2 });
