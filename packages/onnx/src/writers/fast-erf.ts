/** `fast_erf`, exactly. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const fastErf: OnnxExporter = plainNode('fast_erf', 'Erf');
