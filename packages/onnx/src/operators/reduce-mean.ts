/** `ReduceMean`: the mean of the elements. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceMean: OnnxOperator = reduction({
  opType: 'ReduceMean',
  versions: [1, 11, 13, 18],
  axesInputSince: 18,
  op: 'mean',
});
