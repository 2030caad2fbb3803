import { type Dim, multiplyDims, tensorType } from '@baton/ir';
import { int, naturalInt, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { looksAt } from '../../form/views.ts';
import { broadcast, reshaped } from '../../moves.ts';
import { productOfDims } from '../../relation/dims.ts';
import { normalAxis, ofTensor } from '../../relation/known.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const repeat = defineOp({
  name: 'repeat',
  doc: 'Each element repeated along `axis`; without an axis, of the flattened data.',
  source: 'operators §4; NumPy repeat',
  attrs: attrs({ repeats: naturalInt, axis: withDefault(orNone(int), null) }),
  relation: ofTensor((data, { repeats, axis }, context) => {
    if (axis === null) {
      return tensorType([multiplyDims(productOfDims(data.shape), repeats)], data.dtype);
    }
    const at = normalAxis(axis, data.shape.length, context);
    if (at === undefined) return undefined;
    return tensorType(
      data.shape.map((dim, i) => (i === at ? multiplyDims(dim, repeats) : dim)),
      data.dtype,
    );
  }),
  form: {
    _tag: 'View',
    repeats: true,
    views: ({ attrs: { repeats, axis }, given: [given = []], results: [result = []] }) => {
      const shape: ReadonlyArray<Dim> = axis === null ? [productOfDims(given)] : given;
      const at = axis === null ? 0 : axis < 0 ? axis + given.length : axis;
      // The axis becomes (size, repeats), the second of which is a broadcast.
      const split = (count: number): ReadonlyArray<Dim> => [
        ...shape.slice(0, at + 1),
        count,
        ...shape.slice(at + 1),
      ];
      return looksAt(reshaped(split(1)), broadcast(split(repeats)), reshaped(result));
    },
  },
  relayout: keepsAxis,
  gradient: ({ args: [x], g, attrs: { repeats, axis }, sizes, reshape, reshapeLike, sum }) => {
    const shape = axis === null ? [sizes(0).reduce((a, b) => a * b, 1)] : sizes(0);
    const at = axis === null ? 0 : axis < 0 ? axis + shape.length : axis;
    const spread = reshape(g, [...shape.slice(0, at + 1), repeats, ...shape.slice(at + 1)]);
    return [reshapeLike(sum(spread, [at + 1]), x)];
  },
  examples: [
    { args: [f32(2, 3)], attrs: { repeats: 2, axis: 1 }, result: f32(2, 6) },
    { args: [f32(2, 3)], attrs: { repeats: 3 }, result: f32(18) },
  ],
});
