/** `fast_exp`, exactly. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const fastExp: OnnxExporter = plainNode('fast_exp', 'Exp');
