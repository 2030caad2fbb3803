import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { define } from '../../definition/column.ts';
import { f32, i8, i32, u8 } from '../../example-types.ts';
import { POINTS, SCALES, sumOfCentred } from '../../families/quantized.ts';
import { batchLabels, contractionOf } from '../../form/contraction.ts';
import { batchMatmulType } from '../../relation/product.ts';
import { areParameters, asSums, integersArg } from '../../relation/quantized.ts';

/** The second operand is transposed. */
const SIDES = { transpose_a: false, transpose_b: true } as const;

export const qnnBatchMatmul = defineOp({
  name: 'qnn.batch_matmul',
  doc: 'The products of (B, M, K) and (B, N, K), of integers minus their zero points.',
  source: 'operators §9; Relay v0.16 qnn.batch_matmul',
  inputs: ['x', 'y', 'x_zero_point', 'y_zero_point', 'x_scale', 'y_scale'],
  attrs: attrs({ out_dtype: withDefault(oneOf('int32'), 'int32') }),
  relation: (args, attrs, context) => {
    const [x, y] = [integersArg(args, 0, context), integersArg(args, 1, context)];
    if (x === undefined || y === undefined) return undefined;
    const fits =
      areParameters(args, { name: 'x', scale: 4, zero: 2 }, context) &&
      areParameters(args, { name: 'y', scale: 5, zero: 3 }, context);
    if (!fits) return undefined;
    return batchMatmulType([asSums(x), asSums(y)], { ...attrs, ...SIDES }, context);
  },
  form: {
    _tag: 'Contract',
    zeroPoints: { data: 2, weight: 3, axis: () => 0 },
    contraction: (_attrs, shapes) => contractionOf(batchLabels(false, true), shapes),
  },
  definition: define(
    `%0 = cast(?y, dtype="int32") - ?y_zero_point;
     nn.batch_matmul(cast(?x, dtype="int32") - ?x_zero_point, %0, out_dtype="int32", transpose_b=True)`,
  ),
  bounds: sumOfCentred,
  domain: [undefined, undefined, POINTS, POINTS, SCALES, SCALES],
  examples: [
    {
      args: [u8(2, 3, 5), i8(2, 4, 5), i32(), i32(), f32(), f32()],
      result: i32(2, 3, 4),
    },
  ],
});
