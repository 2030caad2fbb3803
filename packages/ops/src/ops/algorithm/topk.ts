import { type Dim, describeDim, tensorType, tupleType } from '@baton/ir';
import { bool, dtype, int, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32, i32, i64 } from '../../example-types.ts';
import { sorts } from '../../families/sorting.ts';
import { sortRows } from '../../kernels/sort.ts';
import { sameOnIntegers } from '../../on-integers/rules.ts';
import { dimAt, normalAxis, ofTensor, report } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const topk = defineOp({
  name: 'topk',
  doc: 'The `k` largest elements along `axis` in order, or the smallest, and their indices.',
  source: 'operators §8; ONNX TopK-11',
  attrs: attrs({
    k: withDefault(int, 1),
    axis: withDefault(int, -1),
    ret_type: withDefault(oneOf('both', 'values', 'indices'), 'both'),
    is_ascend: withDefault(bool, false),
    dtype: withDefault(dtype, 'int32'),
  }),
  relation: ofTensor((data, attrs, context) => {
    const axis = normalAxis(attrs.axis, data.shape.length, context);
    if (axis === undefined) return undefined;
    const dim = dimAt(data, axis);
    if (typeof dim === 'number' && attrs.k > dim) {
      return report(context, badAttr('k', `${attrs.k} of ${describeDim(dim)} elements`));
    }
    const count: Dim = attrs.k <= 0 ? dim : attrs.k;
    const shape = data.shape.map((d, i) => (i === axis ? count : d));
    const values = tensorType(shape, data.dtype);
    const indices = tensorType(shape, attrs.dtype);
    if (attrs.ret_type === 'values') return values;
    return attrs.ret_type === 'indices' ? indices : tupleType([values, indices]);
  }),
  kernel: (args, attrs, out) => {
    const data = args.tensor(0);
    const axis = args.axis(0, attrs.axis);
    const count = attrs.k <= 0 ? (data.shape[axis] ?? 0) : attrs.k;
    const { values, places } = sortRows(data, axis, attrs.is_ascend, count, attrs.dtype, out);
    if (attrs.ret_type === 'values') return values;
    return attrs.ret_type === 'indices' ? places : [values, places];
  },
  ...sorts,
  gradient: ({ args: [x], g, attrs: given, op, zerosLike, item }) => {
    const { axis, ret_type: kind } = given;
    const places = op('topk', [x], { ...given, ret_type: 'indices', dtype: 'int64' });
    const values = kind === 'both' ? item(g, 0) : g;
    return [op('scatter_elements', [zerosLike(x), places, values], { axis, reduction: 'add' })];
  },
  relayout: keepsAxis,
  relayText: { told: toldAsIs('k', 'dtype') },
  onIntegers: {
    ...sameOnIntegers,
    rule: (site) => (site.attrs.ret_type === 'values' ? sameOnIntegers.rule(site) : undefined),
  },
  examples: [
    { args: [f32(2, 5)], attrs: { k: 2 }, result: [f32(2, 2), i32(2, 2)] },
    { args: [i64(4, 3)], attrs: { k: 0, axis: 0, ret_type: 'values' }, result: i64(4, 3) },
    { args: [f32(4)], attrs: { k: 3, ret_type: 'indices', is_ascend: true }, result: i32(3) },
  ],
});
