/** `ReduceL1`: the sum of absolute values. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceL1: OnnxOperator = reduction({
  opType: 'ReduceL1',
  versions: [1, 11, 13, 18],
  axesInputSince: 18,
  op: 'sum',
  before: (context, x) => context.call('abs', [x]),
});
