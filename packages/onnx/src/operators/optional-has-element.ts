/** `OptionalHasElement`: whether there is a value. */
import { scalar } from '@baton/tensor';
import type { OnnxOperator } from '../node/operator.ts';

export const optionalHasElement: OnnxOperator = {
  opType: 'OptionalHasElement',
  versions: [15, 18, 28],
  inputs: [0, 1],
  convert: (context) => context.constant(scalar(context.optional(0) === undefined ? 0 : 1, 'bool')),
};
