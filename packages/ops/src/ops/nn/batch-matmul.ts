import type { Expr } from '@baton/ir';
import { bool, dtypeOrEmpty } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { batchLabels, contractionOf } from '../../form/contraction.ts';
import { batchesOnIntegers } from '../../on-integers/rules.ts';
import { batchMatmulType } from '../../relation/product.ts';
import { matmulScale } from '../../scale-axis/products.ts';

export const batchMatmul = defineOp({
  name: 'nn.batch_matmul',
  doc: 'Products of (B, M, K) and (B, K, N), each optionally transposed; a batch of 1 broadcasts.',
  source: 'operators §5; Relay v0.14 nn.batch_matmul',
  inputs: ['tensor_a', 'tensor_b'],
  attrs: attrs({
    out_dtype: withDefault(dtypeOrEmpty, ''),
    transpose_a: withDefault(bool, false),
    transpose_b: withDefault(bool, false),
  }),
  relation: batchMatmulType,
  form: {
    _tag: 'Contract',
    joining: { axis: ({ transpose_b: isTransposed }) => (isTransposed ? 1 : 2) },
    contraction: ({ transpose_a: a, transpose_b: b }, shapes) =>
      contractionOf(batchLabels(a, b), shapes),
  },
  scaleAxis: matmulScale,
  // dA = G · Bᵀ, dB = Aᵀ · G, each transposed like its operand; a broadcast batch is summed.
  gradient: ({ args: [a, b], g: given, attrs, op, sumLike }) => {
    const { transpose_a: isTurnedA, transpose_b: isTurnedB, out_dtype: dtype } = attrs;
    const g = dtype === '' ? given : op('cast_like', [given, a]);
    const product = (left: Expr, right: Expr, turnLeft: boolean, turnRight: boolean) =>
      op('nn.batch_matmul', [left, right], { transpose_a: turnLeft, transpose_b: turnRight });
    const da = isTurnedA ? product(b, g, isTurnedB, true) : product(g, b, false, !isTurnedB);
    const db = isTurnedB ? product(g, a, true, isTurnedA) : product(a, g, !isTurnedA, false);
    return [sumLike(da, a), sumLike(db, b)];
  },
  quantizing: 'product',
  onIntegers: batchesOnIntegers,
  examples: [
    { args: [f32(2, 3, 5), f32(2, 5, 7)], result: f32(2, 3, 7) },
    {
      args: [f32(1, 5, 3), f32(2, 7, 5)],
      attrs: { transpose_a: true, transpose_b: true },
      result: f32(2, 3, 7),
    },
  ],
});
