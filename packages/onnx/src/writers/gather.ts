/** `gather`. */
import { formula } from '../forms/formula.ts';
import { asIndices } from '../forms/indices.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const gather: OnnxExporter = formula('gather', (context, x, places) =>
  context.node('GatherElements', [x, asIndices(context, places)], {
    axis: int(context.attrs.int('axis')),
  }),
);
