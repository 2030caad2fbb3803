/** `trunc`: the sign times the magnitude rounded down. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const trunc: OnnxWriter = formula('trunc', ({ call, dtype, node }, x) =>
  isFloat(dtype(x))
    ? call('multiply', [call('sign', [x]), call('floor', [call('abs', [x])])])
    : node('Identity', [x]),
);
