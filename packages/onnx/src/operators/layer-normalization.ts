/** `LayerNormalization` over the axes from `axis` on, with mean and deviation if they are used. */
import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

export const layerNormalization: OnnxOperator = {
  opType: 'LayerNormalization',
  versions: [17],
  inputs: [2, 3],
  attributes: { axis: 'int', epsilon: 'float', stash_type: 'int' },
  convert: (context) => {
    const [x, scale, bias] = [context.input(0), context.input(1), context.optional(2)];
    const rank = context.dimsOf(x).length;
    const first = context.axis(context.attributes.int('axis', -1), rank);
    if (context.hasFailed()) return undefined;
    const epsilon = context.attributes.float('epsilon', Math.fround(1e-5));
    const isPlain = !context.isUsed(1) && !context.isUsed(2);
    const isVector = context.dimsOf(scale).length === 1;
    if (isPlain && isVector && bias !== undefined && first === rank - 1) {
      return context.call('nn.layer_norm', [x, scale, bias], { axis: first, epsilon });
    }
    const axis = Array.from({ length: rank - first }, (_, i) => first + i);
    const over = (data: Expr): Expr => context.call('mean', [data], { axis, keepdims: true });
    const mean = over(x);
    const centred = context.call('subtract', [x, mean]);
    const variance = over(context.call('multiply', [centred, centred]));
    const safe = context.call('add', [variance, epsilon]);
    const inverse = context.call('rsqrt', [safe]);
    const normal = context.call('multiply', [context.call('multiply', [centred, inverse]), scale]);
    const result = bias === undefined ? normal : context.call('add', [normal, bias]);
    return [result, mean, inverse];
  },
};
