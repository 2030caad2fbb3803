/** `transpose`: axes from the front. */
import { formula } from '../forms/formula.ts';
import { fromFront } from '../forms/types.ts';
import { ints } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const transpose: OnnxExporter = formula('transpose', (context, x) => {
  const rank = context.dims(x).length;
  if (context.attrs.value('axes') === null) return context.node('Transpose', [x]);
  const perm = context.attrs.ints('axes').map((axis) => fromFront(axis, rank));
  return context.node('Transpose', [x], { perm: ints(perm) });
});
