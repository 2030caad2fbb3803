/** `Conv`: cross-correlation over one to three spatial axes, with a bias per channel. */
import { CONVOLUTION_ATTRIBUTES, convolved } from '../families/convolution.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const conv: OnnxOperator = {
  opType: 'Conv',
  versions: [1, 11, 22],
  inputs: [2, 3],
  attributes: CONVOLUTION_ATTRIBUTES,
  convert: (context) => {
    const bias = context.optional(2);
    const result = convolved(context, context.input(0), context.input(1));
    if (result === undefined || bias === undefined) return result;
    return context.call('nn.bias_add', [result, bias], { axis: 1 });
  },
};
