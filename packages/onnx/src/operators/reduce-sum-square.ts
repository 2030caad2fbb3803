/** `ReduceSumSquare`: the sum of squares. */
import { reduction } from '../families/reduction.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const reduceSumSquare: OnnxOperator = reduction({
  opType: 'ReduceSumSquare',
  versions: [1, 11, 13, 18],
  axesInputSince: 18,
  op: 'sum',
  before: (context, x) => context.call('multiply', [x, x]),
});
