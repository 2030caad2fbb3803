/** `Einsum`: the sum of products that an equation describes. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const einsum: OnnxImporter = {
  opType: 'Einsum',
  convert: (context) => {
    const inputs = Array.from({ length: context.inputCount }, (_, i) => context.optional(i));
    const present = inputs.filter((input) => input !== undefined);
    const equation = context.attributes.string('equation', '');
    return context.call('einsum', [context.tuple(present)], { equation });
  },
};
