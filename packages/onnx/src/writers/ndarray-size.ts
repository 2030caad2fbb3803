/** `ndarray_size`. */

import { scalarType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const ndarraySize: OnnxExporter = formula('ndarray_size', (context, x) => {
  const size = context.node('Size', [x], {}, scalarType('int64'));
  return castTo(context, size, resultDType(context));
});
