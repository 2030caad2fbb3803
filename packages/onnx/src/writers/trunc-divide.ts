/** `trunc_divide`: the quotient rounded toward 0, which of integers it is. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { roundedQuotient } from '../forms/quotient.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const truncDivide: OnnxExporter = formula('trunc_divide', (context, a, b) =>
  isFloat(context.dtype(a))
    ? roundedQuotient(context, 'trunc', a, b)
    : context.call('divide', [a, b]),
);
