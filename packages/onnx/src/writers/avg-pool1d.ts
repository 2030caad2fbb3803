/** `nn.avg_pool1d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const avgPool1d: OnnxExporter = pooling('nn.avg_pool1d', { opType: 'AveragePool', rank: 1 });
