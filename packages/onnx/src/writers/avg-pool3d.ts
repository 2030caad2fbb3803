/** `nn.avg_pool3d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const avgPool3d: OnnxExporter = pooling('nn.avg_pool3d', { opType: 'AveragePool', rank: 3 });
