/** `cumsum`: the axis is an input. */
import { formula } from '../forms/formula.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { castTo, resultDType } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const cumsum: OnnxExporter = formula('cumsum', (context, given) => {
  const { x, axis } = alongOneAxis(context, given);
  const place = context.scalar(axis, 'int64');
  const exclusive = int(context.attrs.bool('exclusive'));
  return context.node('CumSum', [castTo(context, x, resultDType(context)), place], { exclusive });
});
