/** `dyn.full`: a number cast and repeated. */
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const dynFull: OnnxWriter = formula('dyn.full', (context, fill, shape) => {
  const value = castTo(context, fill, resultDType(context));
  return context.node('Expand', [value, castTo(context, shape, 'int64')]);
});
