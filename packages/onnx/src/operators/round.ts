import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../import/operator.ts';

/** `Round` to the nearest whole number, halves to the even one. */
export const round: OnnxOperator = {
  domain: '',
  opType: 'Round',
  versions: [11, 22],
  inputs: [1, 1],
  attributes: {},
  needs: ['round', 'trunc', 'subtract', 'abs', 'equal', 'multiply', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    // Baton rounds halves away from zero: half of them are then rounded once more.
    const rest = context.call('abs', [context.call('subtract', [x, context.call('trunc', [x])])]);
    const isHalf = context.call('equal', [rest, number(0.5)]);
    const half = context.call('round', [context.call('multiply', [x, number(0.5)])]);
    const even = context.call('multiply', [half, number(2)]);
    return context.call('where', [isHalf, even, context.call('round', [x])]);
  },
};
