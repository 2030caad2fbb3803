import { tensorType } from '@baton/ir';
import { broadcastView, fromNumbers, reshapeView, transposeView } from '@baton/tensor';
import { list, naturalInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { dimMismatch } from '../../diagnostics.ts';
import { f32, i32s } from '../../example-types.ts';
import { scatterNd } from '../../kernels/scatter.ts';
import { dimAgrees } from '../../relation/dims.ts';
import { hasRank, inDomain, report, sameDType, tensorArg } from '../../relation/known.ts';

export const sparseToDense = defineOp({
  name: 'sparse_to_dense',
  doc: 'A tensor filled with one value, with others at the indices in a matrix, one per row.',
  source: 'operators §4; TensorFlow sparse_to_dense',
  inputs: ['sparse_indices', 'sparse_values', 'default_value'],
  attrs: attrs({ output_shape: list(naturalInt) }),
  relation: (args, { output_shape: shape }, context) => {
    const indices = tensorArg(args, 0, context);
    const values = tensorArg(args, 1, context);
    const other = tensorArg(args, 2, context);
    if (indices === undefined || values === undefined || other === undefined) return undefined;
    if (!inDomain(indices.dtype, 'int', context)) return undefined;
    const ranks = shape.length === 1 ? [0, 1, 2] : [2];
    if (!hasRank(indices, '`sparse_indices`', ranks, context)) return undefined;
    if (!hasRank(values, '`sparse_values`', [0, 1], context)) return undefined;
    if (!hasRank(other, '`default_value`', [0], context)) return undefined;
    if (sameDType(values.dtype, other.dtype, '`default_value`', context) === undefined) {
      return undefined;
    }
    const [count = 1, columns = 1] = indices.shape;
    if (!dimAgrees(columns, shape.length)) {
      return report(context, dimMismatch('axis 1 of `sparse_indices`', shape.length, columns));
    }
    const [given = count] = values.shape;
    if (!dimAgrees(given, count)) {
      return report(context, dimMismatch('axis 0 of `sparse_values`', count, given));
    }
    return tensorType(shape, values.dtype);
  },
  kernel: (args, { output_shape: shape }, out) => {
    const [indices, values] = [args.tensor(0), args.tensor(1)];
    const count = indices.shape[0] ?? 1;
    const rows = reshapeView(indices, [count, shape.length], out);
    const updates = broadcastView(values, [count]);
    const data = broadcastView(args.tensor(2), shape);
    return scatterNd(data, transposeView(rows, [1, 0]), updates, 'update', out);
  },
  kind: 'other',
  numerics: 'exact',
  gradient: ({ args: [places, values, other], attrs: given, g, op, rank, refuse, ...words }) => {
    if (rank(0) !== 2 || rank(1) !== 1) return refuse('its places are no matrix');
    const { transpose, zerosLike, times, sumLike } = words;
    const ones = op('ones_like', [other]);
    const left = op('sparse_to_dense', [places, zerosLike(values), ones], { ...given });
    const own = op('gather_nd', [g, transpose(places, [1, 0])]);
    return [undefined, own, sumLike(times(g, left), other)];
  },
  examples: [
    {
      args: [fromNumbers([0, 0, 1, 2], [2, 2], 'int32'), f32(2), f32()],
      attrs: { output_shape: [3, 4] },
      result: f32(3, 4),
    },
    { args: [i32s(1, 3), f32(), f32()], attrs: { output_shape: [5] }, result: f32(5) },
  ],
});
