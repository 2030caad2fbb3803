/** `QuickGelu`: x · sigmoid(αx). */
import { MICROSOFT } from '../../node/domains.ts';
import type { OnnxOperator } from '../../node/operator.ts';

export const quickGelu: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'QuickGelu',
  versions: [1],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  kernelSince: 1,
  convert: ({ attributes, call, input }) => {
    const scaled = call('multiply', [input(0), attributes.float('alpha', 1.702)]);
    return call('multiply', [input(0), call('sigmoid', [scaled])]);
  },
};
