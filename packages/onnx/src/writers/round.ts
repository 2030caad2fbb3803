/** `round`, halves away from 0: ONNX rounds them to the even number. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const round: OnnxExporter = formula('round', (context, x) => {
  const { call, dtype, node } = context;
  if (!isFloat(dtype(x))) return node('Identity', [x]);
  const size = call('abs', [x]);
  const whole = call('floor', [size]);
  const isUp = call('greater_equal', [call('subtract', [size, whole]), 0.5]);
  const rounded = call('add', [whole, castTo(context, isUp, dtype(x))]);
  return call('multiply', [call('sign', [x]), rounded]);
});
