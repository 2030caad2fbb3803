/** `Squeeze`: drops the named axes, or all of size 1. */
import type { OnnxOperator } from '../node/operator.ts';

export const squeeze: OnnxOperator = {
  opType: 'Squeeze',
  versions: [1, 11, 13, 21, 23, 24, 25],
  inputs: [1, 2],
  attributes: { axes: 'ints' },
  convert: (context) => {
    const axes = context.version < 13 ? context.attributes.ints('axes') : context.ints(1);
    if (context.hasFailed()) return undefined;
    return context.call('squeeze', [context.input(0)], { axis: axes ?? null });
  },
};
