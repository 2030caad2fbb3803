/** `fast_tanh`, exactly. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const fastTanh: OnnxExporter = plainNode('fast_tanh', 'Tanh');
