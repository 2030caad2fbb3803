import { type Dim, tensorType, tupleType } from '@baton/ir';
import { fromNumbers, rowMajorStrides, shapeSize, toNumbers } from '@baton/tensor';
import { within } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { i64, i64s } from '../../example-types.ts';
import { dimAt, hasRank, hasShape, inDomain, sameDType, tensorArg } from '../../relation/known.ts';

export const sparseReshape = defineOp({
  name: 'sparse_reshape',
  doc: 'The indices of the elements in a tensor of another shape, which has at most one −1, and that shape.',
  source: 'operators §4; TensorFlow sparse.reshape; Relay v0.14 sparse_reshape',
  inputs: ['sparse_indices', 'prev_shape', 'new_shape'],
  relation: (args, _attrs, context) => {
    const [places, from, to] = [0, 1, 2].map((index) => tensorArg(args, index, context));
    if (places === undefined || from === undefined || to === undefined) return undefined;
    if (!hasRank(places, '`sparse_indices`', [2], context)) return undefined;
    if (!hasRank(to, '`new_shape`', [1], context)) return undefined;
    for (const [what, other] of [
      ['`prev_shape`', from],
      ['`new_shape`', to],
    ] as const) {
      if (sameDType(places.dtype, other.dtype, what, context) === undefined) return undefined;
    }
    if (!inDomain(places.dtype, 'int', context)) return undefined;
    const [count, rank] = places.shape as readonly [Dim, Dim];
    if (!hasShape(from, '`prev_shape`', [rank], context, '`sparse_indices`')) return undefined;
    const axes = dimAt(to, 0);
    return tupleType([tensorType([count, axes], places.dtype), tensorType([axes], places.dtype)]);
  },
  kernel: (args, _attrs, out) => {
    const places = args.tensor(0);
    const [from, wanted] = [1, 2].map((i) => Array.from(toNumbers(args.tensor(i), out)));
    const [before, after] = [from ?? [], wanted ?? []];
    const rest = after.filter((dim) => dim !== -1).reduce((a, b) => a * b, 1);
    const open = rest === 0 ? 0 : Math.trunc(shapeSize(before) / rest);
    const shape = after.map((dim) => (dim === -1 ? open : dim));
    const [own, other] = [rowMajorStrides(before), rowMajorStrides(shape)];
    const given = toNumbers(places, out);
    const [count = 0] = places.shape;
    const found: number[] = [];
    for (let row = 0; row < count; row++) {
      let at = own.reduce(
        (sum, step, i) => sum + step * (given[row * own.length + i] as number),
        0,
      );
      for (const step of other) {
        const place = step === 0 ? 0 : Math.floor(at / step);
        found.push(place);
        at -= place * step;
      }
    }
    return [
      fromNumbers(found, [count, shape.length], places.dtype, out),
      fromNumbers(shape, [shape.length], places.dtype, out),
    ];
  },
  kind: 'other',
  numerics: 'exact',
  bounds: within(-64, 4096, 0),
  examples: [
    {
      args: [
        fromNumbers([0, 0, 0, 0, 0, 1, 1, 0, 2, 1, 1, 3], [4, 3], 'int64'),
        i64s(2, 3, 4),
        i64s(6, -1),
      ],
      result: [i64(4, 2), i64(2)],
    },
  ],
});
