/** `Mean`: the mean of tensors that broadcast. */
import { combineInputs } from '../families/elementwise.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const mean: OnnxImporter = {
  opType: 'Mean',
  versions: [6, 8, 13],
  inputs: [1, Number.POSITIVE_INFINITY],
  convert: (context) => {
    const sum = combineInputs(context, 'add');
    if (context.inputCount === 1) return sum;
    return context.call('divide', [sum, context.inputCount]);
  },
};
