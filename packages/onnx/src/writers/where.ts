/** `where`: the condition is a bool. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const where: OnnxWriter = formula('where', (context, condition, x, y) =>
  context.node('Where', [castTo(context, condition, 'bool'), x, y]),
);
