/** `OptionalGetElement`: the value, which is there. */
import type { OnnxOperator } from '../node/operator.ts';

export const optionalGetElement: OnnxOperator = {
  opType: 'OptionalGetElement',
  versions: [15, 18, 28],
  inputs: [1, 1],
  convert: (context) => context.input(0),
};
