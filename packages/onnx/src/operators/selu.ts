import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `Selu`: γx where it is positive, γα(eˣ − 1) elsewhere. */
export const selu: OnnxOperator = {
  domain: '',
  opType: 'Selu',
  versions: [6, 22],
  inputs: [1, 1],
  attributes: { alpha: 'float', gamma: 'float' },
  needs: ['exp', 'subtract', 'multiply', 'less', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const { attributes } = context;
    const alpha = number(attributes.float('alpha', Math.fround(1.6732631921768188)));
    const gamma = number(attributes.float('gamma', Math.fround(1.0507010221481323)));
    const power = context.call('subtract', [context.call('exp', [x]), number(1)]);
    const below = context.call('multiply', [power, alpha]);
    const isNegative = context.call('less', [x, number(0)]);
    return context.call('multiply', [context.call('where', [isNegative, below, x]), gamma]);
  },
};
