import { bool, int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i64 } from '../../example-types.ts';
import { sorts } from '../../families/sorting.ts';
import { sortRows } from '../../kernels/sort.ts';
import { normalAxis, ofTensor } from '../../relation/known.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const sort = defineOp({
  name: 'sort',
  doc: 'The elements sorted along `axis`; the sort is stable, and NaN comes last.',
  source: 'operators §8; NumPy sort',
  attrs: attrs({ axis: withDefault(int, -1), is_ascend: withDefault(bool, true) }),
  relation: ofTensor((data, attrs, context) => {
    const axis = normalAxis(attrs.axis, data.shape.length, context);
    return axis === undefined ? undefined : context.resolve(data.type);
  }),
  kernel: (args, attrs, out) => {
    const data = args.tensor(0);
    const axis = args.axis(0, attrs.axis);
    return sortRows(data, axis, attrs.is_ascend, data.shape[axis] ?? 0, 'int32', out).values;
  },
  ...sorts,
  gradient: ({ args: [x], g, attrs: { axis, is_ascend }, op, zerosLike }) => {
    const places = op('argsort', [x], { axis, is_ascend, dtype: 'int64' });
    return [op('scatter_elements', [zerosLike(x), places, g], { axis, reduction: 'add' })];
  },
  relayout: keepsAxis,
  examples: [
    { args: [f32(2, 5)], result: f32(2, 5) },
    { args: [i64(4, 3)], attrs: { axis: 0, is_ascend: false }, result: i64(4, 3) },
  ],
});
