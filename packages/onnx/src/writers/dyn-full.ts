/** `dyn.full`: a number cast and repeated. */
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dynFull: OnnxExporter = formula('dyn.full', (context, fill, shape) => {
  const value = castTo(context, fill, resultDType(context));
  return context.node('Expand', [value, castTo(context, shape, 'int64')]);
});
