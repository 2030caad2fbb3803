import type { Expr } from '@baton/ir';
import { dtypeOrEmpty, orNone, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { contractionOf, matrixLabels } from '../../form/contraction.ts';
import { productOnIntegers } from '../../on-integers/rules.ts';
import { matmulType } from '../../relation/product.ts';
import { toldAsIs } from '../../relay-text.ts';
import { denseScale } from '../../scale-axis/products.ts';

export const dense = defineOp({
  name: 'nn.dense',
  doc: 'The data (..., K) times the transpose of a weight (units, K).',
  source: 'operators §5; Relay v0.14 nn.dense',
  attrs: attrs({
    units: withDefault(orNone(positiveInt), null),
    out_dtype: withDefault(dtypeOrEmpty, ''),
  }),
  relation: (args, attrs, context) => {
    const sides = { ...attrs, transpose_a: false, transpose_b: true };
    return matmulType(args, sides, ['data', 'weight'], context);
  },
  form: {
    _tag: 'Contract',
    joining: { axis: () => 0, size: 'units' },
    contraction: (_attrs, shapes) =>
      contractionOf(matrixLabels(shapes[0]?.length ?? 0, false, true), shapes),
  },
  scaleAxis: denseScale,
  // dX = G · W, dW = Gᵀ · X.
  gradient: ({ args: [x, w], g: given, attrs, rank, op, reshape, transpose, sizes }) => {
    const g = attrs.out_dtype === '' ? given : op('cast_like', [given, x]);
    const depth = () => sizes(1)[1] ?? 0;
    const units = () => sizes(1)[0] ?? 0;
    const isMatrix = rank(0) === 2;
    const [rows, gRows] = isMatrix
      ? [x, g]
      : [reshape(x, [-1, depth()]), reshape(g, [-1, units()])];
    const turned = (a: Expr) => transpose(a, [1, 0]);
    return [op('nn.dense', [g, turned(w)]), op('nn.dense', [turned(gRows), turned(rows)])];
  },
  relayText: { told: toldAsIs('units') },
  sampled: 'nn.matmul',
  quantizing: 'layer',
  onIntegers: productOnIntegers('qnn.dense', () => ({ weight: 0, result: -1 })),
  examples: [
    { args: [f32(2, 3), f32(5, 3)], attrs: { units: 5 }, result: f32(2, 5) },
    { args: [f32(2, 7, 3), f32(5, 3)], result: f32(2, 7, 5) },
  ],
});
