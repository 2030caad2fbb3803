import { tensorType } from '@baton/ir';
import { attrs } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { axesAfter } from '../../definition/axes.ts';
import { define } from '../../definition/column.ts';
import { f32, f32s, i8, i32, u8 } from '../../example-types.ts';
import {
  axisProp,
  isOfNumbers,
  POINTS,
  quantizationOf,
  quantizes,
  SCALES,
  unscaled,
} from '../../families/quantized.ts';
import { dequantize as kernel } from '../../kernels/quantized.ts';
import { areParameters, integersArg, scaleType, sizeAlong } from '../../relation/quantized.ts';

export const qnnDequantize = defineOp({
  name: 'qnn.dequantize',
  doc: 'The floats that quantized integers represent: `(data - zero point) * scale`.',
  source: 'operators §9; Relay v0.14 qnn.dequantize',
  inputs: ['data', 'input_scale', 'input_zero_point'],
  attrs: attrs({ axis: axisProp }),
  relation: (args, { axis }, context) => {
    const data = integersArg(args, 0, context);
    if (data === undefined) return undefined;
    const stated = { name: 'input', scale: 1, zero: 2, size: sizeAlong(data, axis, context) };
    const real = scaleType(args, 1, context);
    return areParameters(args, stated, context) ? tensorType(data.shape, real) : undefined;
  },
  kernel: (args, { axis }, out) =>
    kernel(args.tensor(0), quantizationOf(args, { scale: 1, zero: 2, axis }), out),
  definition: [
    define('cast(cast(?data, dtype="int32") - ?input_zero_point, dtype=?real) * ?input_scale', {
      let: { real: ({ dtype }) => dtype(1) },
      when: isOfNumbers,
      isExact: true,
    }),
    define(
      `%0 = cast(?data, dtype="int32") - expand_dims(?input_zero_point, axis=-1, num_newaxis=?after);
       cast(%0, dtype=?real) * expand_dims(?input_scale, axis=-1, num_newaxis=?after)`,
      { let: { real: ({ dtype }) => dtype(1), after: axesAfter }, isExact: true },
    ),
  ].flat(),
  cost: (_args, result) => 2 * elementCount(result),
  ...quantizes,
  numerics: 'smooth',
  bounds: unscaled,
  domain: [undefined, SCALES, POINTS],
  examples: [
    { args: [i8(2, 3), f32(), i32()], result: f32(2, 3) },
    { args: [u8(2, 3), f32s(0.5, 0.25, 1), i32()], result: f32(2, 3) },
  ],
});
