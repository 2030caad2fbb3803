import { tensorType, tupleType } from '@baton/ir';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i64 } from '../../example-types.ts';
import { broadcast, reshaped } from '../../moves.ts';
import { hasRank, report, sameDType, tupleArg } from '../../relation/known.ts';

export const meshgrid = defineOp({
  name: 'meshgrid',
  doc: 'The coordinate grids of vectors, one axis per vector; `xy` swaps the first two axes.',
  source: 'operators §4; NumPy meshgrid',
  attrs: attrs({ indexing: withDefault(oneOf('ij', 'xy'), 'ij') }),
  relation: (args, { indexing }, context) => {
    const fields = tupleArg(args, 0, context);
    if (fields === undefined) return undefined;
    const [first] = fields;
    if (first === undefined) return report(context, badExtent('the tuple', 'it has no vectors'));
    for (const [i, field] of fields.entries()) {
      if (!hasRank(field, `field ${i}`, [0, 1], context)) return undefined;
      if (sameDType(first.dtype, field.dtype, `field ${i}`, context) === undefined) {
        return undefined;
      }
    }
    const dims = fields.map((field) => field.shape[0] ?? 1);
    const shape = axisOrder(dims.length, indexing).map((i) => dims[i] ?? 1);
    return tupleType(fields.map(() => tensorType(shape, first.dtype)));
  },
  form: {
    _tag: 'View',
    views: ({ attrs: { indexing }, given, results: [shape = []] }) => {
      const order = axisOrder(given.length, indexing);
      return given.map((_, of) => {
        const along = shape.map((dim, i) => (order[i] === of ? dim : 1));
        return { of, moves: [reshaped(along), broadcast(shape)] };
      });
    },
  },
  gradient: ({
    args: [vectors],
    g,
    attrs: { indexing },
    fieldSizes,
    items,
    item,
    sum,
    reshapeLike,
  }) => {
    const order = axisOrder(fieldSizes(0).length, indexing);
    const others = (i: number) => order.flatMap((own, axis) => (own === i ? [] : [axis]));
    const parts = order.map((_, i) =>
      reshapeLike(
        others(i).length === 0 ? item(g, i) : sum(item(g, i), others(i)),
        item(vectors, i),
      ),
    );
    return [items(...parts)];
  },
  examples: [
    { args: [[f32(3), f32(2)]], result: [f32(3, 2), f32(3, 2)] },
    {
      args: [[i64(3), i64(), i64(2)]],
      attrs: { indexing: 'xy' },
      result: [i64(1, 3, 2), i64(1, 3, 2), i64(1, 3, 2)],
    },
  ],
});

const axisOrder = (count: number, indexing: 'ij' | 'xy'): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, i) => (indexing === 'xy' && count > 1 && i < 2 ? 1 - i : i));
