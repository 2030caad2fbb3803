/** `floor_divide`: ONNX divides integers toward 0, so the remainder is taken off first. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { roundedQuotient } from '../forms/quotient.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const floorDivide: OnnxExporter = formula('floor_divide', (context, a, b) => {
  const { call } = context;
  return isFloat(context.dtype(a))
    ? roundedQuotient(context, 'floor', a, b)
    : call('divide', [call('subtract', [a, call('floor_mod', [a, b])]), b]);
});
