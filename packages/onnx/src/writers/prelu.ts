/** `nn.prelu`: a slope for each channel. */
import { formula } from '../forms/formula.ts';
import { alongAxis } from '../forms/reshaping.ts';
import { fromFront } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const prelu: OnnxExporter = formula('nn.prelu', (context, x, alpha) => {
  const rank = context.dims(x).length;
  const axis = fromFront(context.attrs.int('axis'), rank);
  return context.node('PRelu', [x, alongAxis(context, alpha, axis, rank)]);
});
