/** `ones`. */
import { filled } from '../forms/filled.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const ones: OnnxExporter = {
  op: 'ones',
  write: (context) => filled(context, 1),
};
