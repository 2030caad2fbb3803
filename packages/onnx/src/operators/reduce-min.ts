/** `ReduceMin`: the least element. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceMin: OnnxImporter = reduction({
  opType: 'ReduceMin',
  axesInputSince: 18,
  op: 'min',
});
