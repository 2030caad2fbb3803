/** `ReduceLogSum`: the logarithm of the sum. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceLogSum: OnnxImporter = reduction({
  opType: 'ReduceLogSum',
  axesInputSince: 18,
  op: 'sum',
  after: (context, x) => context.call('log', [x]),
});
