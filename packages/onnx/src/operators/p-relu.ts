import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `PRelu`: x where it is positive, x times a slope that broadcasts elsewhere. */
export const pRelu: OnnxOperator = {
  domain: '',
  opType: 'PRelu',
  versions: [7, 9, 16],
  inputs: [2, 2],
  attributes: {},
  needs: ['less', 'multiply', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const below = context.call('multiply', [x, context.input(1)]);
    return context.call('where', [context.call('less', [x, number(0)]), below, x]);
  },
};
