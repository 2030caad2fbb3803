/** `Trilu`: a triangle of each matrix. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const trilu: OnnxImporter = {
  opType: 'Trilu',
  convert: (context) => {
    const k = context.optional(1) ?? context.scalar(0, 'int64');
    const isScalar = context.dimsOf(k).length === 0;
    const diagonal = isScalar ? k : context.call('reshape', [k], { newshape: [] });
    const upper = context.attributes.int('upper') !== 0;
    return context.call('trilu', [context.input(0), diagonal], { upper });
  },
};
