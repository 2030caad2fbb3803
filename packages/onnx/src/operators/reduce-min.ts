/** `ReduceMin`: the least element. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceMin: OnnxOperator = reduction({
  opType: 'ReduceMin',
  versions: [1, 11, 12, 13, 18, 20],
  axesInputSince: 18,
  op: 'min',
});
