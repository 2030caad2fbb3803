/** `gather`. */
import { formula } from '../forms/formula.ts';
import { asIndices } from '../forms/indices.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const gather: OnnxWriter = formula('gather', (context, x, places) =>
  context.node('GatherElements', [x, asIndices(context, places)], {
    axis: int(context.attrs.int('axis')),
  }),
);
