import { tensorType } from '@baton/ir';
import { bool } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import {
  SPARSE_INPUTS,
  someBlocks,
  someElements,
  sparseArg,
  sparseType,
} from '../../families/sparse.ts';
import { sparseDense as kernel } from '../../kernels/sparse.ts';
import { dimAt, hasRank, sameDType, tensorArg } from '../../relation/known.ts';

export const sparseDense = defineOp({
  name: 'nn.sparse_dense',
  doc: 'The product of a matrix and the transpose of a sparse one, of elements or of blocks; in the other order if `sparse_lhs`.',
  source: 'operators §5; Relay v0.14 nn.sparse_dense',
  inputs: ['dense_data', ...SPARSE_INPUTS],
  attrs: attrs({ sparse_lhs: withDefault(bool, false) }),
  relation: (args, { sparse_lhs: isFirst }, context) => {
    const dense = tensorArg(args, 0, context);
    const sparse = sparseType(args, 1, [1, 3], context);
    if (dense === undefined || sparse === undefined) return undefined;
    if (!hasRank(dense, '`dense_data`', [2], context)) return undefined;
    const { data, rows } = sparse;
    if (sameDType(dense.dtype, data.dtype, '`sparse_data`', context) === undefined) {
      return undefined;
    }
    const count = dimAt(dense, 0);
    return tensorType(isFirst ? [rows, count] : [count, rows], dense.dtype);
  },
  kernel: (args, { sparse_lhs: isFirst }, out) => {
    const rows = out.shape[isFirst ? 0 : 1] ?? 0;
    return kernel(args.tensor(0), sparseArg(args, 1), rows, isFirst, out);
  },
  cost: ([dense, data]) => {
    const rows = dense?._tag === 'TensorType' && !('_tag' in dense.shape) ? dense.shape[0] : 0;
    return data === undefined ? 0 : 2 * elementCount(data) * Number(rows);
  },
  kind: 'product',
  // At most one row of the sparse matrix is summed.
  precision: 'follow',
  examples: [
    { args: [f32(3, 4), f32(5), ...someElements], result: f32(3, 4) },
    { args: [f32(3, 6), f32(3, 2, 3), ...someBlocks], result: f32(3, 4) },
    {
      args: [f32(3, 4), f32(5), ...someElements],
      attrs: { sparse_lhs: true },
      result: f32(4, 3),
    },
  ],
});
