import { tensorType } from '@baton/ir';
import { int, list, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { looksAt } from '../../form/views.ts';
import { transposed } from '../../moves.ts';
import { dimAt, normalAxes, ofTensor, report } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';
import { transposed as transposedLayout } from '../../relayout/rules.ts';
import { transposeScale } from '../../scale-axis/maps.ts';

export const transpose = defineOp({
  name: 'transpose',
  doc: 'Permutes axes: axis i of the result is axis `axes[i]` of the data; `None` reverses them.',
  source: 'operators §4; NumPy transpose',
  attrs: attrs({ axes: withDefault(orNone(list(int)), null) }),
  relation: ofTensor((data, { axes }, context) => {
    const rank = data.shape.length;
    const order = normalAxes(permutation(axes, rank), rank, context);
    if (order === undefined) return undefined;
    if (order.length !== rank) {
      return report(context, badAttr('axes', `expected ${rank} axes, found ${order.length}`));
    }
    return tensorType(
      order.map((axis) => dimAt(data, axis)),
      data.dtype,
    );
  }),
  form: {
    _tag: 'View',
    views: ({ attrs: { axes }, results: [{ length: rank } = []] }) =>
      looksAt(transposed(permutation(axes, rank).map((axis) => (axis < 0 ? axis + rank : axis)))),
  },
  relayout: transposedLayout,
  scaleAxis: transposeScale,
  gradient: ({ g, attrs: { axes }, rank, transpose: permuted }) => {
    const order = permutation(axes, rank(0)).map((axis) => (axis < 0 ? axis + rank(0) : axis));
    return [
      permuted(
        g,
        order.map((_, i) => order.indexOf(i)),
      ),
    ];
  },
  relayText: { told: toldAsIs('axes') },
  common: true,
  onnx: {
    opType: 'Transpose',
    versions: [1, 13, 21, 23, 24, 25],
    attributes: [{ name: 'perm', as: 'axes', kind: 'ints' }],
  },
  quantizing: 'movement',
  examples: [
    { args: [f32(2, 3, 5)], result: f32(5, 3, 2) },
    { args: [f32(2, 3, 5)], attrs: { axes: [0, -1, 1] }, result: f32(2, 5, 3) },
  ],
});

const permutation = (axes: ReadonlyArray<number> | null, rank: number): ReadonlyArray<number> =>
  axes ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
