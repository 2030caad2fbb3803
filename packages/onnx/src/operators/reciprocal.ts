import type { OnnxOperator } from '../node/operator.ts';

/** `Reciprocal`: 1 / x. */
export const reciprocal: OnnxOperator = {
  domain: '',
  opType: 'Reciprocal',
  versions: [6, 13],
  inputs: [1, 1],
  attributes: {},
  needs: ['divide'],
  convert: (context) => {
    const x = context.input(0);
    return context.call('divide', [context.scalar(1, context.dtypeOf(x)), x]);
  },
};
