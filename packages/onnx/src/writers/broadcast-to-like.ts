/** `broadcast_to_like`. */

import { shapeTensor } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const broadcastToLike: OnnxExporter = formula('broadcast_to_like', (context, x, like) =>
  context.node('Expand', [x, shapeTensor(context, like)]),
);
