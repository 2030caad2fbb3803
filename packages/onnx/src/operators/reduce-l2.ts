/** `ReduceL2`: the root of the sum of squares, taken as floats of integers. */
import { isInteger } from '@baton/tensor';
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceL2: OnnxImporter = reduction({
  opType: 'ReduceL2',
  axesInputSince: 18,
  op: 'sum',
  before: (context, x) => context.call('multiply', [x, x]),
  after: (context, x) => {
    const dtype = context.dtypeOf(x);
    if (!isInteger(dtype)) return context.call('sqrt', [x]);
    const root = context.call('sqrt', [context.call('cast', [x], { dtype: 'float64' })]);
    return context.call('cast', [root], { dtype });
  },
});
