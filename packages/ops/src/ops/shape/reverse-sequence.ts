import type { Expr } from '@baton/ir';
import { rowMajorStrides, toNumbers } from '@baton/tensor';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { exact } from '../../definition/column.ts';
import { duplicateAxis } from '../../diagnostics.ts';
import { f32, i32s, i64s } from '../../example-types.ts';
import { takenAlong } from '../../gradient/places.ts';
import { fromPlaces } from '../../kernels/index-map.ts';
import { dimAt, hasShape, inDomain, normalAxis, ofTwo, report } from '../../relation/known.ts';

export const reverseSequence = defineOp({
  name: 'reverse_sequence',
  doc: 'The data with the first elements along `seq_axis` reversed, up to the length of each batch.',
  source: 'operators §4; ONNX ReverseSequence-10',
  inputs: ['data', 'seq_lengths'],
  attrs: attrs({ seq_axis: withDefault(int, 1), batch_axis: withDefault(int, 0) }),
  relation: ofTwo((data, lengths, attrs, context) => {
    const along = normalAxis(attrs.seq_axis, data.shape.length, context);
    const batch = normalAxis(attrs.batch_axis, data.shape.length, context);
    if (along === undefined || batch === undefined) return undefined;
    if (along === batch) return report(context, duplicateAxis(attrs.seq_axis));
    if (!inDomain(lengths.dtype, 'int', context)) return undefined;
    const expected = [dimAt(data, batch)];
    const from = `axis ${batch} of \`data\``;
    if (!hasShape(lengths, '`seq_lengths`', expected, context, from)) return undefined;
    return context.resolve(data.type);
  }),
  kernel: (args, attrs, out) => {
    const data = args.tensor(0);
    const along = args.axis(0, attrs.seq_axis);
    const batch = args.axis(0, attrs.batch_axis);
    const dim = data.shape[along] as number;
    const lengths = Array.from(toNumbers(args.tensor(1), out), (n) => Math.min(n, dim));
    const step = rowMajorStrides(data.shape)[along] as number;
    return fromPlaces(data, data.shape, out, (index, place) => {
      const i = index[along] as number;
      const length = lengths[index[batch] as number] as number;
      return i < length ? place + (length - 1 - 2 * i) * step : place;
    });
  },
  definition: exact((site) => {
    const { args, attrs: given, rank, sizes, integers, reshape, op, scalar, minus } = site;
    const [x, lengths] = args;
    const [along, batch] = [given.seq_axis, given.batch_axis].map((axis) =>
      axis < 0 ? axis + rank(0) : axis,
    ) as [number, number];
    const shape = sizes(0);
    const dim = shape[along] ?? 0;
    const axisOf = (a: Expr, axis: number): Expr =>
      reshape(
        a,
        shape.map((_, i) => (i === axis ? -1 : 1)),
      );
    const wide = op('cast', [lengths], { dtype: 'int64' });
    const length = axisOf(op('minimum', [wide, scalar(dim, 'int64')]), batch);
    const place = axisOf(integers(Array.from({ length: dim }, (_, i) => i)), along);
    const turned = minus(minus(length, place), scalar(1, 'int64'));
    return takenAlong(site, x, op('where', [op('less', [place, length]), turned, place]), {
      shape,
      axis: along,
    });
  }),
  kind: 'movement',
  gradient: ({ args: [, lengths], g, attrs, op }) => [op('reverse_sequence', [g, lengths], attrs)],
  onnx: {
    opType: 'ReverseSequence',
    versions: [10, 28],
    attributes: [
      { name: 'time_axis', as: 'seq_axis', kind: 'int', defaultValue: 0 },
      { name: 'batch_axis', as: 'batch_axis', kind: 'int', defaultValue: 1 },
    ],
  },
  examples: [
    { args: [f32(2, 5, 3), i64s(3, 9)], result: f32(2, 5, 3) },
    {
      args: [f32(5, 2), i32s(0, 2)],
      attrs: { seq_axis: 0, batch_axis: -1 },
      result: f32(5, 2),
    },
  ],
});
