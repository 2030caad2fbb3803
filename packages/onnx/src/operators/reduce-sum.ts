/** `ReduceSum`: the sum of the elements. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceSum: OnnxOperator = reduction({
  opType: 'ReduceSum',
  versions: [1, 11, 13],
  axesInputSince: 13,
  op: 'sum',
});
