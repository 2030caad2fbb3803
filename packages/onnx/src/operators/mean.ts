/** `Mean`: the mean of tensors that broadcast. */
import { combineInputs } from '../families/elementwise.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const mean: OnnxOperator = {
  opType: 'Mean',
  versions: [6, 8, 13],
  inputs: [1, Number.POSITIVE_INFINITY],
  needs: ['add', 'divide'],
  convert: (context) => {
    const sum = combineInputs(context, 'add');
    if (context.inputCount === 1) return sum;
    const count = context.scalar(context.inputCount, context.dtypeOf(context.input(0)));
    return context.call('divide', [sum, count]);
  },
};
