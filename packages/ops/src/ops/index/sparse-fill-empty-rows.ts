import { anyDim, tensorType, tupleType } from '@baton/ir';
import { fromNumbers, readNumber, toNumbers } from '@baton/tensor';
import { anyOf } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i64s } from '../../example-types.ts';
import { finish, loadNumbers, numberBuffer } from '../../kernels/values.ts';
import { dimAt, hasRank, hasShape, inDomain, sameDType, tensorArg } from '../../relation/known.ts';

export const sparseFillEmptyRows = defineOp({
  name: 'sparse_fill_empty_rows',
  doc: 'The indices and the values of a sparse tensor row by row, with a default at the first index of each empty row; and which rows were empty.',
  source: 'operators §4; TensorFlow sparse.fill_empty_rows; Relay v0.14 sparse_fill_empty_rows',
  inputs: ['sparse_indices', 'sparse_values', 'dense_shape', 'default_value'],
  relation: (args, _attrs, context) => {
    const [places, values, shape, other] = [0, 1, 2, 3].map((i) => tensorArg(args, i, context));
    if (!places || !values || !shape || !other) return undefined;
    if (!hasRank(places, '`sparse_indices`', [2], context)) return undefined;
    if (!hasRank(other, '`default_value`', [0], context)) return undefined;
    if (!inDomain(places.dtype, 'int', context) || !inDomain(shape.dtype, 'int', context)) {
      return undefined;
    }
    if (!inDomain(values.dtype, 'float', context)) return undefined;
    if (sameDType(values.dtype, other.dtype, '`default_value`', context) === undefined) {
      return undefined;
    }
    const [count, rank] = [dimAt(places, 0), dimAt(places, 1)];
    if (!hasShape(values, '`sparse_values`', [count], context, '`sparse_indices`'))
      return undefined;
    if (!hasShape(shape, '`dense_shape`', [rank], context, '`sparse_indices`')) return undefined;
    return tupleType([
      tensorType([anyDim, rank], places.dtype),
      tensorType([anyDim], values.dtype),
      tensorType([anyDim], 'bool'),
    ]);
  },
  kernel: (args, _attrs, out) => {
    const [places, values] = [args.tensor(0), args.tensor(1)];
    const [count = 0, rank = 0] = places.shape;
    const [given, numbers] = [toNumbers(places, out), loadNumbers(values, out)];
    const [rows = 0] = Array.from(toNumbers(args.tensor(2), out));
    const other = readNumber(args.tensor(3), 0);
    const byRow: number[][] = Array.from({ length: Math.max(rows, 0) }, () => []);
    for (let i = 0; i < count; i++) byRow[given[i * rank] as number]?.push(i);
    const found = byRow.flatMap((own, row) => {
      const empty = { place: [row, ...new Array<number>(rank - 1).fill(0)], value: other };
      if (own.length === 0) return [empty];
      return own.map((i) => ({
        place: Array.from(given.subarray(i * rank, (i + 1) * rank)),
        value: numbers[i] as number,
      }));
    });
    const filled = numberBuffer(values.dtype, found.length, out);
    found.forEach(({ value }, i) => {
      filled[i] = value;
    });
    const [all, empty] = [
      found.flatMap((one) => one.place),
      byRow.map((own) => +(own.length === 0)),
    ];
    return [
      fromNumbers(all, [found.length, rank], places.dtype, out),
      finish(filled, [found.length], values.dtype, out),
      fromNumbers(empty, [empty.length], 'bool', out),
    ];
  },
  kind: 'other',
  numerics: 'exact',
  bounds: anyOf,
  examples: [
    {
      args: [fromNumbers([0, 1, 0, 3, 2, 0, 3, 1], [4, 2], 'int64'), f32(4), i64s(5, 6), f32()],
      result: [
        tensorType([anyDim, 2], 'int64'),
        tensorType([anyDim], 'float32'),
        tensorType([anyDim], 'bool'),
      ],
    },
  ],
});
