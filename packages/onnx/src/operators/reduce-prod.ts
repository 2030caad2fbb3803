/** `ReduceProd`: the product of the elements. */
import { reduction } from '../families/reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceProd: OnnxImporter = reduction({
  opType: 'ReduceProd',
  axesInputSince: 18,
  op: 'prod',
});
