/** `trunc`: the sign times the magnitude rounded down. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const trunc: OnnxExporter = formula('trunc', ({ call, dtype, node }, x) =>
  isFloat(dtype(x))
    ? call('multiply', [call('sign', [x]), call('floor', [call('abs', [x])])])
    : node('Identity', [x]),
);
