/** `RMSNormalization` over the axes from `axis` on. */
import type { OnnxOperator } from '../node/operator.ts';

export const rmsNormalization: OnnxOperator = {
  opType: 'RMSNormalization',
  versions: [23],
  inputs: [2, 2],
  attributes: { axis: 'int', epsilon: 'float', stash_type: 'int' },
  convert: (context) => {
    const x = context.input(0);
    const rank = context.dimsOf(x).length;
    const first = context.axis(context.attributes.int('axis', -1), rank);
    if (context.hasFailed()) return undefined;
    const axis = Array.from({ length: rank - first }, (_, i) => first + i);
    const squares = context.call('multiply', [x, x]);
    const mean = context.call('mean', [squares], { axis, keepdims: true });
    const epsilon = context.attributes.float('epsilon', Math.fround(1e-5));
    const safe = context.call('add', [mean, epsilon]);
    const normal = context.call('multiply', [x, context.call('rsqrt', [safe])]);
    return context.call('multiply', [normal, context.input(1)]);
  },
};
