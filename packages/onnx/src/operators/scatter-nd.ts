/** `ScatterND`: each update combines with the slice at a row of indices. */
import { indexColumns } from '../families/index-columns.ts';
import { scatterMode } from '../families/scatter.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const scatterNd: OnnxImporter = {
  opType: 'ScatterND',
  convert: (context) => {
    const mode = scatterMode(context);
    const columns = indexColumns(context, context.input(1));
    if (mode === undefined || columns === undefined) return undefined;
    return context.call('scatter_nd', [context.input(0), columns, context.input(2)], { mode });
  },
};
