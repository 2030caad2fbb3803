/** `gather_nd`: the index moves to the last axis. */
import { formula } from '../forms/formula.ts';
import { indexRows } from '../forms/indices.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const gatherNd: OnnxWriter = formula('gather_nd', (context, x, columns) =>
  context.node('GatherND', [x, indexRows(context, columns)], {
    batch_dims: int(context.attrs.int('batch_dims')),
  }),
);
