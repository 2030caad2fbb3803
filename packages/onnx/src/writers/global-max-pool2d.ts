/** `nn.global_max_pool2d`. */
import { globalPooling } from '../forms/pooling.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const globalMaxPool2d: OnnxExporter = globalPooling('nn.global_max_pool2d', 'GlobalMaxPool');
