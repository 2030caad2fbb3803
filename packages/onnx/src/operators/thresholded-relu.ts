import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `ThresholdedRelu`: x where it is above α, 0 elsewhere. */
export const thresholdedRelu: OnnxOperator = {
  domain: '',
  opType: 'ThresholdedRelu',
  versions: [10, 22],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  needs: ['greater', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const alpha = number(context.attributes.float('alpha', 1));
    return context.call('where', [context.call('greater', [x, alpha]), x, number(0)]);
  },
};
