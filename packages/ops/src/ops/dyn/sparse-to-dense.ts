import { fromNumbers } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { f32, i64s } from '../../example-types.ts';
import { dynamic, lengthOf, openTensor } from '../../families/dynamic.ts';
import { sparseToDense } from '../index/sparse-to-dense.ts';

export const dynSparseToDense = defineOp({
  name: 'dyn.sparse_to_dense',
  doc: 'A tensor of the shape in a vector, filled with one value, with others at the indices in a matrix.',
  ...dynamic({
    of: sparseToDense,
    inputs: ['sparse_indices', 'output_shape', 'sparse_values', 'default_value'],
    operands: { output_shape: 'ints' },
    open: ([, shape, values], _attrs, context) => {
      const rank = lengthOf(shape, 'output_shape', context);
      return rank === undefined || values === undefined
        ? undefined
        : openTensor(rank, values.dtype);
    },
    examples: [
      {
        args: [fromNumbers([0, 0, 1, 2], [2, 2], 'int32'), i64s(3, 4), f32(2), f32()],
        result: f32(3, 4),
      },
    ],
  }),
  gradient: ({ args: [places, shape, values, other], g, op, rank, refuse, ...words }) => {
    if (rank(0) !== 2 || rank(2) !== 1) return refuse('its places are no matrix');
    const { transpose, zerosLike, times, sumLike } = words;
    const ones = op('ones_like', [other]);
    const left = op('dyn.sparse_to_dense', [places, shape, zerosLike(values), ones]);
    const own = op('gather_nd', [g, transpose(places, [1, 0])]);
    return [undefined, undefined, own, sumLike(times(g, left), other)];
  },
});
