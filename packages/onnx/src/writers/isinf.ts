/** `isinf`; integers are finite. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const isinf: OnnxExporter = formula('isinf', (context, x) => {
  return isFloat(context.dtype(x)) ? context.node('IsInf', [x]) : context.call('not_equal', [x, x]);
});
