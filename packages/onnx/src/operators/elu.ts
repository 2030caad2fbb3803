import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `Elu`: x where it is positive, α(eˣ − 1) elsewhere. */
export const elu: OnnxOperator = {
  domain: '',
  opType: 'Elu',
  versions: [6, 22],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  needs: ['exp', 'subtract', 'multiply', 'less', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const alpha = number(context.attributes.float('alpha', 1));
    const below = context.call('subtract', [context.call('exp', [x]), number(1)]);
    const isNegative = context.call('less', [x, number(0)]);
    return context.call('where', [isNegative, context.call('multiply', [below, alpha]), x]);
  },
};
