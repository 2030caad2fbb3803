/** `squeeze`: the dropped axes are an input. */
import { formula } from '../forms/formula.ts';
import { fromFront } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const squeeze: OnnxExporter = formula('squeeze', (context, x) => {
  const given = context.attrs.value('axis');
  const dims = context.dims(x);
  const axes = Array.isArray(given)
    ? given.map((axis) => fromFront(Number(axis), dims.length))
    : dims.flatMap((dim, axis) => (dim === 1 ? [axis] : []));
  return axes.length === 0
    ? context.node('Identity', [x])
    : context.node('Squeeze', [x, context.ints(axes)]);
});
