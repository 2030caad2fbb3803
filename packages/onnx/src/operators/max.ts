/** `Max`: the maximum of tensors that broadcast. */
import { variadic } from '../families/elementwise.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const max: OnnxImporter = variadic({
  opType: 'Max',
  since: 6,
  op: 'maximum',
});
