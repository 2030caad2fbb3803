/** `zeros`. */
import { filled } from '../forms/filled.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const zeros: OnnxExporter = {
  op: 'zeros',
  write: (context) => filled(context, 0),
};
