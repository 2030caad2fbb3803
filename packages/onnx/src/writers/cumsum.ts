/** `cumsum`: the axis is an input. */
import { formula } from '../forms/formula.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { castTo, resultDType } from '../forms/types.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const cumsum: OnnxWriter = formula('cumsum', (context, given) => {
  const { x, axis } = alongOneAxis(context, given);
  const place = context.scalar(axis, 'int64');
  const exclusive = int(context.attrs.bool('exclusive'));
  return context.node('CumSum', [castTo(context, x, resultDType(context)), place], { exclusive });
});
