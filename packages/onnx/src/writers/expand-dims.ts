/** `expand_dims`: the new axes are an input. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const expandDims: OnnxExporter = formula('expand_dims', (context, x) => {
  const count = context.attrs.int('num_newaxis');
  const first = context.attrs.int('axis');
  const rank = context.dims(x).length;
  const axis = first < 0 ? first + rank + 1 : first;
  if (count === 0) return context.node('Identity', [x]);
  context.room(count);
  const axes = Array.from({ length: count }, (_, i) => axis + i);
  return context.node('Unsqueeze', [x, context.ints(axes)]);
});
