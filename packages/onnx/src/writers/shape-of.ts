/** `shape_of`: of a scalar, a scalar 0. */

import { shapeTensor } from '../forms/filled.ts';
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const shapeOf: OnnxExporter = formula('shape_of', (context, x) => {
  if (context.dims(x).length === 0) return context.scalar(0, resultDType(context));
  return castTo(context, shapeTensor(context, x), resultDType(context));
});
