/** `maximum` of two tensors. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const maximum: OnnxExporter = plainNode('maximum', 'Max');
