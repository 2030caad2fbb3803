/** Operators that find the places of extremes. */
import type { OnnxImporter } from '../operator-api/importer.ts';

/** An operator that finds the place of an extreme along one axis. */
export const argReduction = (opType: string, op: string): OnnxImporter => ({
  opType,
  convert: (context) => {
    const { attributes } = context;
    const found = context.call(op, [context.input(0)], {
      axis: attributes.int('axis'),
      keepdims: attributes.int('keepdims') !== 0,
      select_last_index: attributes.int('select_last_index') !== 0,
    });
    return context.call('cast', [found], { dtype: 'int64' });
  },
});
