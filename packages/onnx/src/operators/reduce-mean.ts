/** `ReduceMean`: the mean of the elements. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceMean: OnnxImporter = reduction({
  opType: 'ReduceMean',
  axesInputSince: 18,
  op: 'mean',
});
