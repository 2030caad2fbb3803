/** `nn.max_pool1d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const maxPool1d: OnnxExporter = pooling('nn.max_pool1d', { opType: 'MaxPool', rank: 1 });
