import { tensorType } from '@baton/ir';
import { bool, dtype, int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { discrete } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32, i64 } from '../../example-types.ts';
import { sorts } from '../../families/sorting.ts';
import { sortRows } from '../../kernels/sort.ts';
import { normalAxis, ofTensor } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const argsort = defineOp({
  name: 'argsort',
  doc: 'The indices that sort the data along `axis`; the sort is stable.',
  source: 'operators §8; NumPy argsort',
  attrs: attrs({
    axis: withDefault(int, -1),
    is_ascend: withDefault(bool, true),
    dtype: withDefault(dtype, 'int32'),
  }),
  relation: ofTensor((data, attrs, context) => {
    const axis = normalAxis(attrs.axis, data.shape.length, context);
    return axis === undefined ? undefined : tensorType(data.shape, attrs.dtype);
  }),
  kernel: (args, attrs, out) => {
    const data = args.tensor(0);
    const axis = args.axis(0, attrs.axis);
    return sortRows(data, axis, attrs.is_ascend, data.shape[axis] ?? 0, attrs.dtype, out).places;
  },
  ...sorts,
  relayout: keepsAxis,
  bounds: discrete,
  relayText: { told: toldAsIs('dtype') },
  sampled: 'sort',
  examples: [
    { args: [f32(2, 5)], result: i32(2, 5) },
    { args: [i64(4, 3)], attrs: { axis: 0, dtype: 'int64' }, result: i64(4, 3) },
  ],
});
