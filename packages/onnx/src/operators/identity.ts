/** `Identity`: another name for the same value. */
import type { OnnxOperator } from '../node/operator.ts';

export const identity: OnnxOperator = {
  opType: 'Identity',
  versions: [1, 13, 14, 16, 19, 21, 23, 24, 25],
  inputs: [1, 1],
  convert: (context) => context.input(0),
};
