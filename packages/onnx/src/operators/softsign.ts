import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `Softsign`: x / (1 + |x|). */
export const softsign: OnnxOperator = {
  domain: '',
  opType: 'Softsign',
  versions: [1, 22],
  inputs: [1, 1],
  attributes: {},
  needs: ['abs', 'add', 'divide'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const size = context.call('add', [context.call('abs', [x]), number(1)]);
    return context.call('divide', [x, size]);
  },
};
