/** `Min`: the minimum of tensors that broadcast. */
import { variadic } from '../families/elementwise.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const min: OnnxImporter = variadic({
  opType: 'Min',
  since: 6,
  op: 'minimum',
});
