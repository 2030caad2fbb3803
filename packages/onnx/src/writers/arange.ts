/** `arange`: `Range` takes some dtypes. */

import { tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { castTo, resultDims, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const arange: OnnxExporter = formula('arange', (context, start, stop, step) => {
  const wanted = resultDType(context);
  const ranged = RANGED.includes(wanted) ? wanted : 'float32';
  const bounds = [start, stop, step].map((bound) => castTo(context, bound, ranged));
  const type = tensorType(resultDims(context), ranged);
  return castTo(context, context.node('Range', bounds, {}, type), wanted);
});

const RANGED: ReadonlyArray<string> = ['float32', 'float64', 'int16', 'int32', 'int64'];
