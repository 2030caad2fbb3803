/** `isinf`; integers are finite. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const isinf: OnnxWriter = formula('isinf', (context, x) => {
  return isFloat(context.dtype(x)) ? context.node('IsInf', [x]) : context.call('not_equal', [x, x]);
});
