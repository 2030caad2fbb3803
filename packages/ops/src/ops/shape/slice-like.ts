import { describeShape, tensorType } from '@baton/ir';
import { int, list, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { shapeMismatch, wrongRank } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { knownSizes, looksAt } from '../../form/views.ts';
import { sliced } from '../../moves.ts';
import { dimAt, normalAxes, ofTwo, report } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';
import { keepsAxes } from '../../relayout/rules.ts';

export const sliceLike = defineOp({
  name: 'slice_like',
  doc: 'The data cropped to the dimensions of another tensor, along `axes` or all of its axes.',
  source: 'operators §4; Relay v0.14 slice_like',
  inputs: ['data', 'shape_like'],
  attrs: attrs({ axes: withDefault(orNone(list(int)), null) }),
  relation: ofTwo((data, like, { axes }, context) => {
    const [rank, most] = [data.shape.length, like.shape.length];
    const along = normalAxes(axes ?? like.shape.map((_, i) => i), rank, context);
    if (along === undefined) return undefined;
    if (along.some((axis) => axis >= most)) {
      return report(context, wrongRank('`shape_like`', `rank ${Math.max(...along) + 1}`, most));
    }
    const shape = data.shape.map((dim, i) => (along.includes(i) ? dimAt(like, i) : dim));
    const isLarger = shape.some((dim, i) => {
      const old = data.shape[i];
      return typeof dim === 'number' && typeof old === 'number' && dim > old;
    });
    if (isLarger) {
      const expected = `within ${describeShape(data.shape)}`;
      return report(context, shapeMismatch('`shape_like`', expected, like.shape, '`data`'));
    }
    return tensorType(shape, data.dtype);
  }),
  form: {
    _tag: 'View',
    views: ({ results: [result] }) => {
      const size = knownSizes(result);
      return (
        size &&
        looksAt(
          sliced(
            size.map(() => 0),
            size,
          ),
        )
      );
    },
  },
  relayout: keepsAxes,
  gradient: ({ args: [x], g, resultSizes, op, zerosLike, integers }) => {
    const sizes = resultSizes();
    const bounds = [sizes.map(() => 0), sizes, sizes.map(() => 1)];
    return [op('strided_set', [zerosLike(x), g, ...bounds.map(integers)])];
  },
  relayText: { told: toldAsIs('axes') },
  examples: [
    { args: [f32(4, 5), f32(2, 3)], result: f32(2, 3) },
    { args: [f32(4, 5, 6), f32(2, 3, 2)], attrs: { axes: [0, -1] }, result: f32(2, 5, 2) },
    { args: [f32(4, 5), f32(2)], result: f32(2, 5) },
  ],
});
