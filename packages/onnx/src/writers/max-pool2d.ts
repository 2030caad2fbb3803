/** `nn.max_pool2d`. */
import { pooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const maxPool2d: OnnxExporter = pooling('nn.max_pool2d', { opType: 'MaxPool', rank: 2 });
