/** `SequenceEmpty`: a sequence of no tensors. */
import type { OnnxOperator } from '../node/operator.ts';

export const sequenceEmpty: OnnxOperator = {
  opType: 'SequenceEmpty',
  versions: [11],
  inputs: [0, 0],
  attributes: { dtype: 'int' },
  convert: (context) => context.tuple([]),
};
