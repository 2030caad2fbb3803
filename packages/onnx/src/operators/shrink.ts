import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

/** `Shrink`: x moved by `bias` toward 0 beyond ±λ, 0 between. */
export const shrink: OnnxOperator = {
  domain: '',
  opType: 'Shrink',
  versions: [9],
  inputs: [1, 1],
  attributes: { bias: 'float', lambd: 'float' },
  needs: ['add', 'subtract', 'less', 'greater', 'where'],
  convert: (context) => {
    const x = context.input(0);
    const dtype = context.dtypeOf(x);
    const number = (value: number): Expr => context.scalar(value, dtype);
    const bias = number(context.attributes.float('bias', 0));
    const lambda = context.attributes.float('lambd', 0.5);
    const isBelow = context.call('less', [x, number(-lambda)]);
    const isAbove = context.call('greater', [x, number(lambda)]);
    const above = context.call('where', [isAbove, context.call('subtract', [x, bias]), number(0)]);
    return context.call('where', [isBelow, context.call('add', [x, bias]), above]);
  },
};
