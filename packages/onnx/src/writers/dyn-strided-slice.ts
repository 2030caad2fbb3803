/** `dyn.strided_slice`. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dynStridedSlice: OnnxExporter = formula(
  'dyn.strided_slice',
  (context, x, begin, end, strides) => {
    const [starts, ends, steps] = [begin, end, strides].map((bound) =>
      castTo(context, bound, 'int64'),
    );
    const { axes } = context.attrs.all;
    const count = context.dims(begin)[0];
    const listed = Array.isArray(axes)
      ? axes.map(Number)
      : Array.from({ length: typeof count === 'number' ? count : 0 }, (_, i) => i);
    return context.node('Slice', [x, starts, ends, context.ints(listed), steps]);
  },
);
