/** `ReduceL1`: the sum of absolute values. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceL1: OnnxImporter = reduction({
  opType: 'ReduceL1',
  axesInputSince: 18,
  op: 'sum',
  before: (context, x) => context.call('abs', [x]),
});
