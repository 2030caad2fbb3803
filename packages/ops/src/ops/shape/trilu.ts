import { readNumber, scalar } from '@baton/tensor';
import { bool } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { exact } from '../../definition/column.ts';
import { f32, i64 } from '../../example-types.ts';
import { fromPlaces } from '../../kernels/index-map.ts';
import { hasRank, hasRankFrom, inDomain, ofTwo } from '../../relation/known.ts';

export const trilu = defineOp({
  name: 'trilu',
  doc: 'The upper or the lower triangle of each matrix from its diagonal `k` on; the rest is 0.',
  source: 'operators §4; ONNX Trilu-14',
  inputs: ['data', 'k'],
  attrs: attrs({ upper: withDefault(bool, true) }),
  relation: ofTwo((data, k, _attrs, context) => {
    if (!hasRank(k, '`k`', [0], context) || !inDomain(k.dtype, 'int', context)) return undefined;
    return hasRankFrom(data, '`data`', 2, context) ? context.resolve(data.type) : undefined;
  }),
  kernel: (args, { upper }, out) => {
    const data = args.tensor(0);
    const k = readNumber(args.tensor(1), 0);
    const [row, column] = [data.shape.length - 2, data.shape.length - 1];
    return fromPlaces(data, data.shape, out, (index, place) => {
      const diagonal = (index[column] as number) - (index[row] as number);
      const isKept = upper ? diagonal >= k : diagonal <= k;
      return isKept ? place : -1;
    });
  },
  definition: exact(({ args: [x, k], attrs: { upper }, sizes, integers, reshape, number, op }) => {
    const [rows = 0, columns = 0] = sizes(0).slice(-2);
    const diagonals = Array.from(
      { length: rows * columns },
      (_, at) => (at % columns) - Math.floor(at / columns),
    );
    const diagonal = reshape(integers(diagonals), [rows, columns]);
    const test = upper ? 'greater_equal' : 'less_equal';
    return op('where', [op(test, [diagonal, op('cast', [k], { dtype: 'int64' })]), x, number(0)]);
  }),
  kind: 'movement',
  // Each element stays at its index.
  fusion: 'elemwise',
  gradient: ({ args: [, k], g, attrs, op }) => [op('trilu', [g, k], attrs)],
  relayText: { record: 'relay.attrs.TriluAttrs' },
  examples: [
    { args: [f32(2, 3, 4), scalar(1, 'int64')], result: f32(2, 3, 4) },
    { args: [i64(3, 3), i64()], attrs: { upper: false }, result: i64(3, 3) },
  ],
});
