/** `ReduceMax`: the greatest element. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceMax: OnnxOperator = reduction({
  opType: 'ReduceMax',
  versions: [1, 11, 12, 13, 18, 20],
  axesInputSince: 18,
  op: 'max',
});
