/** `ReduceProd`: the product of the elements. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceProd: OnnxOperator = reduction({
  opType: 'ReduceProd',
  versions: [1, 11, 13, 18],
  axesInputSince: 18,
  op: 'prod',
});
