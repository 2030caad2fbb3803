import type { OnnxOperator } from '../node/operator.ts';

/** `GatherElements`: one element for each index. */
export const gatherElements: OnnxOperator = {
  domain: '',
  opType: 'GatherElements',
  versions: [11, 13],
  inputs: [2, 2],
  attributes: { axis: 'int' },
  needs: ['gather'],
  convert: (context) => {
    const axis = context.attributes.int('axis', 0);
    return context.call('gather', [context.input(0), context.input(1)], { axis });
  },
};
