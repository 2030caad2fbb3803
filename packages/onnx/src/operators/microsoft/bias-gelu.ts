/** `BiasGelu`: `Gelu` of a sum. */
import { geluOf } from '../../families/gelu.ts';
import { MICROSOFT } from '../../node/domains.ts';
import type { OnnxOperator } from '../../node/operator.ts';

export const biasGelu: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'BiasGelu',
  versions: [1],
  inputs: [2, 2],
  kernelSince: 1,
  convert: ({ call, input }) => geluOf(call, call('add', [input(0), input(1)])),
};
