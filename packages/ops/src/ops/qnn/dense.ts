import { oneOf, orNone, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { define } from '../../definition/column.ts';
import { f32, i8, i32, i32s, u8 } from '../../example-types.ts';
import { hasTwoPoints, POINTS, SCALES, sumOfCentred } from '../../families/quantized.ts';
import { contractionOf, matrixLabels } from '../../form/contraction.ts';
import { matmulType } from '../../relation/product.ts';
import { areParameters, asSums, integersArg, sizeAlong } from '../../relation/quantized.ts';

export const qnnDense = defineOp({
  name: 'qnn.dense',
  doc: '`nn.dense` of integers minus their zero points.',
  source: 'operators §9; Relay v0.14 qnn.dense',
  inputs: [
    'data',
    'weight',
    'input_zero_point',
    'kernel_zero_point',
    'input_scale',
    'kernel_scale',
  ],
  attrs: attrs({
    units: withDefault(orNone(positiveInt), null),
    out_dtype: withDefault(oneOf('int32'), 'int32'),
  }),
  relation: (args, attrs, context) => {
    const [data, weight] = [integersArg(args, 0, context), integersArg(args, 1, context)];
    if (data === undefined || weight === undefined) return undefined;
    const size = sizeAlong(weight, 0, context);
    const fits =
      areParameters(args, { name: 'input', scale: 4, zero: 2 }, context) &&
      areParameters(args, { name: 'kernel', scale: 5, zero: 3, size }, context);
    if (!fits) return undefined;
    const sides = { ...attrs, transpose_a: false, transpose_b: true };
    return matmulType([asSums(data), asSums(weight)], sides, ['data', 'weight'], context);
  },
  form: {
    _tag: 'Contract',
    zeroPoints: { data: 2, weight: 3, axis: () => 0 },
    contraction: (_attrs, shapes) =>
      contractionOf(matrixLabels(shapes[0]?.length ?? 0, false, true), shapes),
  },
  definition: [
    define(
      `nn.dense(cast(?data, dtype="int32") - ?input_zero_point, cast(?weight, dtype="int32") - ?kernel_zero_point, units=?units, out_dtype="int32")`,
      { when: hasTwoPoints },
    ),
    define(
      `%0 = cast(?weight, dtype="int32") - expand_dims(?kernel_zero_point, axis=1);
       nn.dense(cast(?data, dtype="int32") - ?input_zero_point, %0, units=?units, out_dtype="int32")`,
    ),
  ].flat(),
  bounds: sumOfCentred,
  domain: [undefined, undefined, POINTS, POINTS, SCALES, SCALES],
  examples: [
    {
      args: [u8(2, 3), i8(5, 3), i32(), i32(), f32(), f32()],
      attrs: { units: 5 },
      result: i32(2, 5),
    },
    {
      args: [i8(2, 3), i8(4, 3), i32(), i32s(1, 0, -2, 3), f32(), f32(4)],
      result: i32(2, 4),
    },
  ],
});
