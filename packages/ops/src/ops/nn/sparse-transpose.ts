import { tensorType, tupleType } from '@baton/ir';
import { anyOf } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i32 } from '../../example-types.ts';
import { SPARSE_INPUTS, someElements, sparseArg, sparseType } from '../../families/sparse.ts';
import { sparseTranspose as kernel } from '../../kernels/sparse.ts';
import { dimAt, tensorArg } from '../../relation/known.ts';

export const sparseTranspose = defineOp({
  name: 'nn.sparse_transpose',
  doc: 'The transpose of a square sparse matrix, in the same format.',
  source: 'operators §5; Relay v0.14 nn.sparse_transpose',
  inputs: [...SPARSE_INPUTS],
  relation: (args, _attrs, context) => {
    const sparse = sparseType(args, 0, [1], context);
    const starts = tensorArg(args, 2, context);
    if (sparse === undefined || starts === undefined) return undefined;
    return tupleType([
      context.resolve(sparse.data.type),
      tensorType([dimAt(sparse.data, 0)], 'int32'),
      tensorType([dimAt(starts, 0)], 'int32'),
    ]);
  },
  kernel: (args, _attrs, out) => kernel(sparseArg(args, 0), out),
  kind: 'other',
  numerics: 'exact',
  bounds: anyOf,
  examples: [{ args: [f32(5), ...someElements], result: [f32(5), i32(5), i32(5)] }],
});
