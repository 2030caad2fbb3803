/** `dyn.broadcast_to`. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const dynBroadcastTo: OnnxWriter = formula('dyn.broadcast_to', (context, x, shape) =>
  context.node('Expand', [x, castTo(context, shape, 'int64')]),
);
