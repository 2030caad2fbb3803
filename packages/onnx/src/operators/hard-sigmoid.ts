import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `HardSigmoid`: αx + β, from 0 to 1. */
export const hardSigmoid: OnnxOperator = {
  domain: '',
  opType: 'HardSigmoid',
  versions: [6, 22],
  inputs: [1, 1],
  attributes: { alpha: 'float', beta: 'float' },
  needs: ['multiply', 'add', 'clip'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const alpha = number(context.attributes.float('alpha', Math.fround(0.2)));
    const beta = number(context.attributes.float('beta', 0.5));
    const line = context.call('add', [context.call('multiply', [x, alpha]), beta]);
    return context.call('clip', [line], { a_min: 0, a_max: 1 });
  },
};
