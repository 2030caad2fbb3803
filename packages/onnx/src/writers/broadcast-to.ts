/** `broadcast_to`. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const broadcastTo: OnnxExporter = formula('broadcast_to', (context, x) =>
  context.node('Expand', [x, context.ints(context.attrs.ints('shape'))]),
);
