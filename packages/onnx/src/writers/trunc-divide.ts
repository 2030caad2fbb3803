/** `trunc_divide`: the quotient rounded toward 0, which of integers it is. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const truncDivide: OnnxWriter = formula('trunc_divide', ({ call, dtype }, a, b) =>
  isFloat(dtype(a)) ? call('trunc', [call('divide', [a, b])]) : call('divide', [a, b]),
);
