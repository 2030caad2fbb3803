/** `power`. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const power: OnnxExporter = plainNode('power', 'Pow');
