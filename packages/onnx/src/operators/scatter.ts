/** `Scatter`, the name of `ScatterElements` before operator set 11. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const scatter: OnnxImporter = {
  opType: 'Scatter',
  convert: ({ attributes, call, input }) =>
    call('scatter_elements', [input(0), input(1), input(2)], {
      axis: attributes.int('axis'),
      reduction: 'update',
    }),
};
