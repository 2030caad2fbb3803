import type { Expr } from '@baton/ir';
import { full, shapeSize, tensor, toNumbers } from '@baton/tensor';
import { float, int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { exact } from '../../definition/column.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32, f32s, i32s } from '../../example-types.ts';
import { select } from '../../kernels/elementwise.ts';
import { forEachIndex } from '../../kernels/index-map.ts';
import { dimAt, hasRankFrom, hasShape, inDomain, ofTwo, report } from '../../relation/known.ts';

export const sequenceMask = defineOp({
  name: 'sequence_mask',
  doc: 'The data with `mask_value` past the valid length of each batch; the sequence is along `axis`.',
  source: 'operators §4; Relay v0.14 sequence_mask',
  inputs: ['data', 'valid_length'],
  attrs: attrs({ mask_value: withDefault(float, 0), axis: withDefault(int, 0) }),
  relation: ofTwo((data, lengths, { axis }, context) => {
    if (!hasRankFrom(data, '`data`', 2, context)) return undefined;
    if (axis !== 0 && axis !== 1) return report(context, badAttr('axis', 'expected 0 or 1'));
    if (!inDomain(data.dtype, 'number', context)) return undefined;
    if (!inDomain(lengths.dtype, 'number', context)) return undefined;
    const expected = [dimAt(data, 1 - axis)];
    const from = `axis ${1 - axis} of \`data\``;
    if (!hasShape(lengths, '`valid_length`', expected, context, from)) return undefined;
    return context.resolve(data.type);
  }),
  kernel: (args, { axis, mask_value: value }, out) => {
    const data = args.tensor(0);
    const lengths = toNumbers(args.tensor(1), out);
    const isValid = out.take('bool', shapeSize(data.shape));
    forEachIndex(data.shape, (index, place) => {
      const length = lengths[index[1 - axis] as number] as number;
      isValid[place] = Number((index[axis] as number) < length);
    });
    const mask = tensor(isValid, data.shape, 'bool');
    return select(mask, data, full(data.shape, data.dtype, value, out), out);
  },
  definition: exact(
    ({ args: [x, lengths], attrs: given, rank, sizes, reshape, integers, scalar, op }) => {
      const { axis, mask_value: value } = given;
      const count = sizes(0)[axis] ?? 0;
      const real = (a: Expr): Expr => op('cast', [a], { dtype: 'float64' });
      // Each along its own axis, with size 1 for the axes after the first two.
      const along = (a: Expr, at: number): Expr =>
        reshape(real(a), [
          ...[at === 0 ? -1 : 1, at === 1 ? -1 : 1],
          ...Array(rank(0) - 2).fill(1),
        ]);
      const places = integers(Array.from({ length: count }, (_, i) => i));
      const isValid = op('less', [along(places, axis), along(lengths, 1 - axis)]);
      return op('where', [isValid, x, op('cast_like', [scalar(value, 'float64'), x])]);
    },
  ),
  kind: 'movement',
  gradient: ({ args: [, lengths], g, attrs, op }) => [
    op('sequence_mask', [g, lengths], { ...attrs, mask_value: 0 }),
  ],
  examples: [
    { args: [f32(5, 2, 3), i32s(3, 9)], result: f32(5, 2, 3) },
    {
      args: [f32(2, 5), f32s(3, 0)],
      attrs: { axis: 1, mask_value: -1 },
      result: f32(2, 5),
    },
  ],
});
