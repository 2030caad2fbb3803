/** `Mean`: the mean of tensors that broadcast. */
import { combineInputs } from '../families/elementwise.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const mean: OnnxImporter = {
  opType: 'Mean',
  since: 6,
  convert: (context) => {
    const sum = combineInputs(context, 'add');
    if (context.inputCount === 1) return sum;
    return context.call('divide', [sum, context.inputCount]);
  },
};
