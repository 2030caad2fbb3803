/** `nn.max_pool3d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const maxPool3d: OnnxExporter = pooling('nn.max_pool3d', { opType: 'MaxPool', rank: 3 });
