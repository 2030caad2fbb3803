/** `QuickGelu`: x · sigmoid(αx). */
import { swishOf } from '../../families/swish.ts';
import { MICROSOFT } from '../../node/domains.ts';
import type { OnnxOperator } from '../../node/operator.ts';

export const quickGelu: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'QuickGelu',
  versions: [1],
  inputs: [1, 1],
  attributes: { alpha: 'float' },
  kernelSince: 1,
  convert: ({ attributes, call, input }) =>
    swishOf(call, input(0), attributes.float('alpha', 1.702)),
};
