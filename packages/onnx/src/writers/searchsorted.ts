/** `searchsorted`: the number of elements before each value. */
import { formula } from '../forms/formula.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const searchsorted: OnnxExporter = formula('searchsorted', (context, sequence, values) => {
  const { call } = context;
  const rows =
    context.dims(sequence).length > 1 ? call('expand_dims', [sequence], { axis: -2 }) : sequence;
  const each = call('expand_dims', [values], { axis: -1 });
  const isBefore = call(context.attrs.bool('right') ? 'less_equal' : 'less', [rows, each]);
  const count = call('sum', [castTo(context, isBefore, 'int32')], { axis: [-1] });
  return castTo(context, count, resultDType(context));
});
