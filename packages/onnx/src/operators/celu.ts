import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `Celu`: x where it is positive, α(e^(x/α) − 1) elsewhere. */
export const celu: OnnxOperator = {
  domain: '',
  opType: 'Celu',
  versions: [12, 28],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  needs: ['exp', 'divide', 'subtract', 'multiply', 'less', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const alpha = number(context.attributes.float('alpha', 1));
    const power = context.call('exp', [context.call('divide', [x, alpha])]);
    const below = context.call('multiply', [context.call('subtract', [power, number(1)]), alpha]);
    return context.call('where', [context.call('less', [x, number(0)]), below, x]);
  },
};
