import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `HardSwish`: x times x/6 + 1/2, from 0 to 1. */
export const hardSwish: OnnxOperator = {
  domain: '',
  opType: 'HardSwish',
  versions: [14, 22],
  inputs: [1, 1],
  attributes: {},
  needs: ['multiply', 'add', 'clip'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const line = context.call('add', [context.call('multiply', [x, number(1 / 6)]), number(0.5)]);
    return context.call('multiply', [x, context.call('clip', [line], { a_min: 0, a_max: 1 })]);
  },
};
