import { sumOfMany } from '../../bounds/rules.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { SPARSE_INPUTS, someElements, sparseArg, sparseType } from '../../families/sparse.ts';
import { sparseAdd as kernel } from '../../kernels/sparse.ts';
import { dimAt, hasRank, hasShape, sameDType, tensorArg } from '../../relation/known.ts';

export const sparseAdd = defineOp({
  name: 'nn.sparse_add',
  doc: 'The sum of a matrix and a sparse one.',
  source: 'operators §5; Relay v0.14 nn.sparse_add',
  inputs: ['dense_data', ...SPARSE_INPUTS],
  relation: (args, _attrs, context) => {
    const dense = tensorArg(args, 0, context);
    const sparse = sparseType(args, 1, [1], context);
    if (dense === undefined || sparse === undefined) return undefined;
    if (!hasRank(dense, '`dense_data`', [2], context)) return undefined;
    const { data, rows } = sparse;
    if (sameDType(dense.dtype, data.dtype, '`sparse_data`', context) === undefined) {
      return undefined;
    }
    const shape = [rows, dimAt(dense, 1)];
    if (!hasShape(dense, '`dense_data`', shape, context, '`sparse_indptr`')) return undefined;
    return context.resolve(dense.type);
  },
  kernel: (args, _attrs, out) => kernel(args.tensor(0), sparseArg(args, 1), out),
  cost: perResultElement,
  kind: 'other',
  numerics: 'exact',
  bounds: sumOfMany,
  examples: [{ args: [f32(4, 4), f32(5), ...someElements], result: f32(4, 4) }],
});
