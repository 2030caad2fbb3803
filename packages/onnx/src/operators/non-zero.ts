/** `NonZero`: the indices of nonzero elements, one in each column. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const nonZero: OnnxImporter = {
  opType: 'NonZero',
  convert: (context) => {
    const rows = context.call('argwhere', [context.input(0)]);
    const columns = context.call('transpose', [rows], { axes: [1, 0] });
    return context.call('cast', [columns], { dtype: 'int64' });
  },
};
