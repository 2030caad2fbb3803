/** `ReduceSum`: the sum of the elements. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceSum: OnnxImporter = reduction({
  opType: 'ReduceSum',
  axesInputSince: 13,
  op: 'sum',
});
