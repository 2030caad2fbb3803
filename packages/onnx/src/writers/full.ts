/** `full`: a number cast and repeated. */
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const full: OnnxExporter = formula('full', (context, fill) => {
  const value = castTo(context, fill, resultDType(context));
  const shape = context.attrs.ints('shape');
  return shape.length === 0
    ? context.node('Identity', [value])
    : context.node('Expand', [value, context.ints(shape)]);
});
