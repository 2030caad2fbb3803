import type { Dim } from '@baton/ir';
import { dense, type NumberData, rowMajorStrides, shapeSize, tensor } from '@baton/tensor';
import { bool, int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { forEachIndex } from '../../kernels/index-map.ts';
import { hasRankFrom, hasShape, ofTwo, report, sameDType } from '../../relation/known.ts';

export const matrixSetDiag = defineOp({
  name: 'matrix_set_diag',
  doc: 'Each matrix with its diagonals `k1` to `k2` replaced by the rows of `diagonal`, `k2` first.',
  source: 'operators §4; TensorFlow MatrixSetDiagV3',
  inputs: ['input', 'diagonal'],
  attrs: attrs({
    k1: withDefault(int, 0),
    k2: withDefault(int, 0),
    super_diag_right_align: withDefault(bool, true),
    sub_diag_right_align: withDefault(bool, false),
  }),
  relation: ofTwo((input, diagonal, { k1, k2 }, context) => {
    if (!hasRankFrom(input, '`input`', 2, context)) return undefined;
    if (k1 > k2) return report(context, badAttr('k1', `expected at most k2 = ${k2}`));
    const same = sameDType(input.dtype, diagonal.dtype, '`diagonal`', context);
    if (same === undefined) return undefined;
    const lead: ReadonlyArray<Dim> = input.shape.slice(0, -2);
    const [rows, columns] = input.shape.slice(-2);
    if (typeof rows !== 'number' || typeof columns !== 'number') {
      return context.resolve(input.type);
    }
    if (k1 <= -rows || k2 >= columns) {
      return report(context, badAttr('k1', `no diagonal ${k1} to ${k2} in (${rows}, ${columns})`));
    }
    const longest = Math.min(rows + Math.min(k2, 0), columns - Math.max(k1, 0));
    const expected = k1 === k2 ? [...lead, longest] : [...lead, k2 - k1 + 1, longest];
    const fits = hasShape(diagonal, '`diagonal`', expected, context, 'those of `input`');
    return fits ? context.resolve(input.type) : undefined;
  }),
  kernel: (args, attrs, out) => {
    const input = args.tensor(0);
    const { k1, k2 } = attrs;
    const given = args.tensor(1);
    const rank = input.shape.length;
    const [rows, columns] = [input.shape[rank - 2] as number, input.shape[rank - 1] as number];
    const longest = given.shape[given.shape.length - 1] as number;
    const batch = rowMajorStrides(input.shape.slice(0, -2));
    // All are storage of one type.
    const [source, diagonals] = [
      dense(input, out).data as NumberData,
      dense(given, out).data as NumberData,
    ];
    const filled = out.take(input.dtype, shapeSize(input.shape)) as NumberData;
    forEachIndex(input.shape, (index, place) => {
      const [i, j] = [index[rank - 2] as number, index[rank - 1] as number];
      const k = j - i;
      if (k < k1 || k > k2) {
        filled[place] = source[place] as number;
        return;
      }
      const length = Math.min(rows + Math.min(k, 0), columns - Math.max(k, 0));
      const isRight = k >= 0 ? attrs.super_diag_right_align : attrs.sub_diag_right_align;
      const along = Math.min(i, j) + (isRight ? longest - length : 0);
      const which = batch.reduce((sum, stride, axis) => sum + (index[axis] as number) * stride, 0);
      filled[place] = diagonals[(which * (k2 - k1 + 1) + (k2 - k)) * longest + along] as number;
    });
    return tensor(filled, input.shape, input.dtype);
  },
  kind: 'movement',
  examples: [
    { args: [f32(2, 3, 4), f32(2, 3)], result: f32(2, 3, 4) },
    { args: [f32(3, 4), f32(3, 3)], attrs: { k1: -1, k2: 1 }, result: f32(3, 4) },
  ],
});
