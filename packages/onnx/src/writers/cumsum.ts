/** `cumsum`: the axis is an input. */
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const cumsum: OnnxWriter = formula('cumsum', (context, given) => {
  const isFlat = context.attrs.value('axis') === null;
  const data = isFlat ? context.call('reshape', [given], { newshape: [-1] }) : given;
  const axis = context.scalar(isFlat ? 0 : context.attrs.int('axis'), 'int64');
  const exclusive = int(context.attrs.bool('exclusive'));
  return context.node('CumSum', [castTo(context, data, resultDType(context)), axis], { exclusive });
});
