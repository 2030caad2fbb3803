/** `copy`: the value itself. */
import { plainNode } from '../forms/renamed.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const copy: OnnxExporter = plainNode('copy', 'Identity');
