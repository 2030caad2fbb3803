/** `nn.bias_add`: a product before it takes the bias later. */
import { formula } from '../forms/formula.ts';
import { alongAxis } from '../forms/reshaping.ts';
import { fromFront } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const biasAdd: OnnxExporter = formula('nn.bias_add', (context, x, bias) => {
  const rank = context.dims(x).length;
  const axis = fromFront(context.attrs.int('axis'), rank);
  return context.call('add', [x, alongAxis(context, bias, axis, rank)]);
});
