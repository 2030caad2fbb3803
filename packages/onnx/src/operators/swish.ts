import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `Swish`: x · sigmoid(αx). */
export const swish: OnnxOperator = {
  domain: '',
  opType: 'Swish',
  versions: [24],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  needs: ['multiply', 'sigmoid'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const alpha = context.attributes.float('alpha', 1);
    const scaled = alpha === 1 ? x : context.call('multiply', [x, number(alpha)]);
    return context.call('multiply', [x, context.call('sigmoid', [scaled])]);
  },
};
