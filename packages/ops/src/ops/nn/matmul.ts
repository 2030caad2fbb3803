import type { Expr } from '@baton/ir';
import { bool, dtypeOrEmpty, orNone, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { contractionOf, matrixLabels } from '../../form/contraction.ts';
import { matrixOnIntegers } from '../../on-integers/rules.ts';
import { matmulType } from '../../relation/product.ts';
import { toldAsIs } from '../../relay-text.ts';
import { matmulScale } from '../../scale-axis/products.ts';

export const matmul = defineOp({
  name: 'nn.matmul',
  doc: 'The product of (..., M, K) and (K, N), each optionally transposed.',
  source: 'operators §5; Relay v0.14 nn.matmul',
  inputs: ['tensor_a', 'tensor_b'],
  attrs: attrs({
    units: withDefault(orNone(positiveInt), null),
    out_dtype: withDefault(dtypeOrEmpty, ''),
    transpose_a: withDefault(bool, false),
    transpose_b: withDefault(bool, false),
  }),
  relation: (args, attrs, context) => matmulType(args, attrs, ['tensor_a', 'tensor_b'], context),
  form: {
    _tag: 'Contract',
    joining: { axis: ({ transpose_b: isTransposed }) => (isTransposed ? 0 : 1), size: 'units' },
    contraction: ({ transpose_a: a, transpose_b: b }, shapes) =>
      contractionOf(matrixLabels(shapes[0]?.length ?? 0, a, b), shapes),
  },
  scaleAxis: matmulScale,
  onIntegers: matrixOnIntegers,
  // dA = G · Bᵀ, dB = Aᵀ · G, each transposed like its operand.
  gradient: ({ args: [a, b], g: given, attrs, rank, op, reshape, transpose, sizes }) => {
    const { transpose_a: isTurnedA, transpose_b: isTurnedB, out_dtype: dtype } = attrs;
    const g = dtype === '' ? given : op('cast_like', [given, a]);
    const axes = Array.from({ length: rank(0) }, (_, i) => i);
    const turned = (t: Expr) => transpose(t, [...axes.slice(0, -2), rank(0) - 1, rank(0) - 2]);
    const [depth = 0, columns = 0] = isTurnedB ? [...sizes(1)].reverse() : sizes(1);
    const rows = reshape(isTurnedA ? turned(a) : a, [-1, depth]);
    const gRows = reshape(g, [-1, columns]);
    const da = op('nn.matmul', [g, b], { transpose_b: !isTurnedB });
    const [left, right] = isTurnedB ? [gRows, rows] : [rows, gRows];
    return [isTurnedA ? turned(da) : da, op('nn.matmul', [left, right], { transpose_a: true })];
  },
  relayText: { told: toldAsIs('units') },
  examples: [
    { args: [f32(2, 3), f32(3, 5)], result: f32(2, 5) },
    { args: [f32(7, 2, 3), f32(3, 5)], result: f32(7, 2, 5) },
    {
      args: [f32(7, 3, 2), f32(5, 3)],
      attrs: { transpose_a: true, transpose_b: true, units: 5 },
      result: f32(7, 2, 5),
    },
  ],
});
