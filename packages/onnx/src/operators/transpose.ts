import type { OnnxOperator } from '../node/operator.ts';

/** `Transpose`. */
export const transpose: OnnxOperator = {
  domain: '',
  opType: 'Transpose',
  versions: [1, 13, 21, 23, 24, 25],
  inputs: [1, 1],
  attributes: { perm: 'ints' },
  needs: ['transpose'],
  convert: (context) => {
    const axes = context.attributes.ints('perm') ?? null;
    return context.call('transpose', [context.input(0)], { axes });
  },
};
