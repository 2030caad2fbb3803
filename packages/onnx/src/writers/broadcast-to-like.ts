/** `broadcast_to_like`. */

import { shapeTensor } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const broadcastToLike: OnnxWriter = formula('broadcast_to_like', (context, x, like) =>
  context.node('Expand', [x, shapeTensor(context, like)]),
);
