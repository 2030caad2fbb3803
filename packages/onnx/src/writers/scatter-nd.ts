/** `scatter_nd`: the index moves to the last axis. */
import { formula } from '../forms/formula.ts';
import { indexRows } from '../forms/indices.ts';
import { joining } from '../forms/scattering.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const scatterNd: OnnxExporter = formula('scatter_nd', (context, x, columns, updates) => {
  const way = joining(context, context.attrs.text('mode'));
  return way && context.node('ScatterND', [x, indexRows(context, columns), updates], way);
});
