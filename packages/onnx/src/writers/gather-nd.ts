/** `gather_nd`: the index moves to the last axis. */
import { formula } from '../forms/formula.ts';
import { indexRows } from '../forms/indices.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const gatherNd: OnnxExporter = formula('gather_nd', (context, x, columns) =>
  context.node('GatherND', [x, indexRows(context, columns)], {
    batch_dims: int(context.attrs.int('batch_dims')),
  }),
);
