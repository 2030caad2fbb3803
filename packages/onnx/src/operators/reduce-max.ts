/** `ReduceMax`: the greatest element. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceMax: OnnxImporter = reduction({
  opType: 'ReduceMax',
  axesInputSince: 18,
  op: 'max',
});
