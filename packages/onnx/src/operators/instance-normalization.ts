import type { OnnxOperator } from '../node/operator.ts';

/** `InstanceNormalization`. */
export const instanceNormalization: OnnxOperator = {
  domain: '',
  opType: 'InstanceNormalization',
  versions: [6, 22],
  inputs: [3, 3],
  attributes: { epsilon: 'float' },
  needs: ['nn.instance_norm'],
  convert: (context) => {
    const args = [context.input(0), context.input(1), context.input(2)];
    const epsilon = context.attributes.float('epsilon', Math.fround(1e-5));
    return context.call('nn.instance_norm', args, { axis: 1, epsilon });
  },
};
