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
  convert: (context) => geluOf(context, context.call('add', [context.input(0), context.input(1)])),
};
