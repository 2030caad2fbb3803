/** `GatherND`: the slice that each row of indices names. */
import { indexColumns } from '../families/index-columns.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const gatherNd: OnnxImporter = {
  opType: 'GatherND',
  convert: (context) => {
    const columns = indexColumns(context, context.input(1));
    if (columns === undefined) return undefined;
    const batch_dims = context.attributes.int('batch_dims');
    return context.call('gather_nd', [context.input(0), columns], { batch_dims });
  },
};
