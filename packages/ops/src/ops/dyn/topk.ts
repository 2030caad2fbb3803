import { anyDim, tensorType, tupleType } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { bool, dtype, int, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32, i64s } from '../../example-types.ts';
import { dynamic } from '../../families/dynamic.ts';
import { sorts } from '../../families/sorting.ts';
import { normalAxis } from '../../relation/known.ts';
import { topk } from '../algorithm/topk.ts';

export const dynTopk = defineOp({
  name: 'dyn.topk',
  doc: 'The `k` largest elements along `axis` in order, or the smallest, and their indices.',
  ...dynamic({
    of: topk,
    inputs: ['data', 'k'],
    operands: { k: 'int' },
    attrs: attrs({
      axis: withDefault(int, -1),
      ret_type: withDefault(oneOf('both', 'values', 'indices'), 'both'),
      is_ascend: withDefault(bool, false),
      dtype: withDefault(dtype, 'int32'),
    }),
    open: ([data], attrs, context) => {
      if (data === undefined) return undefined;
      const axis = normalAxis(attrs.axis, data.shape.length, context);
      if (axis === undefined) return undefined;
      const shape = data.shape.map((dim, at) => (at === axis ? anyDim : dim));
      const values = tensorType(shape, data.dtype);
      const indices = tensorType(shape, attrs.dtype);
      if (attrs.ret_type === 'values') return values;
      return attrs.ret_type === 'indices' ? indices : tupleType([values, indices]);
    },
    examples: [
      { args: [f32(2, 5), scalar(2, 'int64')], result: [f32(2, 2), i32(2, 2)] },
      {
        args: [f32(4, 3), i64s(3)],
        attrs: { axis: 0, ret_type: 'indices', is_ascend: true },
        result: i32(3, 3),
      },
    ],
  }),
  ...sorts,
  gradient: ({ args: [x, k], g, attrs: given, op, zerosLike, item }) => {
    const { axis, ret_type: kind } = given;
    const places = op('dyn.topk', [x, k], { ...given, ret_type: 'indices', dtype: 'int64' });
    const values = kind === 'both' ? item(g, 0) : g;
    return [op('scatter_elements', [zerosLike(x), places, values], { axis, reduction: 'add' })];
  },
});
