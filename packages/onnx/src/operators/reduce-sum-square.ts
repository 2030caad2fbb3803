/** `ReduceSumSquare`: the sum of squares. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceSumSquare: OnnxImporter = reduction({
  opType: 'ReduceSumSquare',
  axesInputSince: 18,
  op: 'sum',
  before: (context, x) => context.call('multiply', [x, x]),
});
