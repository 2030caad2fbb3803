/** `dyn.broadcast_to`. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dynBroadcastTo: OnnxExporter = formula('dyn.broadcast_to', (context, x, shape) =>
  context.node('Expand', [x, castTo(context, shape, 'int64')]),
);
