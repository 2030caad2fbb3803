/** `ReduceMin`: the least element. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceMin: OnnxImporter = reduction({
  opType: 'ReduceMin',
  versions: [1, 11, 12, 13, 18, 20],
  axesInputSince: 18,
  op: 'min',
});
