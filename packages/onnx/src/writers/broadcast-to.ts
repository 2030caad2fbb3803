/** `broadcast_to`. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const broadcastTo: OnnxWriter = formula('broadcast_to', (context, x) =>
  context.node('Expand', [x, context.ints(context.attrs.ints('shape'))]),
);
