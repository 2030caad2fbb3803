import { tensorType } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s, i8, i32, u8 } from '../../example-types.ts';
import {
  axisProp,
  POINTS,
  quantizationOf,
  quantizedType,
  quantizes,
  requantizedSteps,
  SCALES,
} from '../../families/quantized.ts';
import { requantize as kernel } from '../../kernels/quantized.ts';
import { areParameters, integersArg, sizeAlong } from '../../relation/quantized.ts';

export const qnnRequantize = defineOp({
  name: 'qnn.requantize',
  doc: 'Integers converted to another scale and zero point, by a fixed-point product of 31 bits.',
  source: 'operators §9; Relay v0.14 qnn.requantize',
  inputs: ['data', 'input_scale', 'input_zero_point', 'output_scale', 'output_zero_point'],
  attrs: attrs({
    axis: axisProp,
    rounding: withDefault(oneOf('UPWARD', 'TONEAREST'), 'UPWARD'),
    out_dtype: withDefault(quantizedType, 'int8'),
  }),
  relation: (args, { axis, out_dtype: dtype }, context) => {
    const data = integersArg(args, 0, context);
    if (data === undefined) return undefined;
    const size = sizeAlong(data, axis, context);
    const fits =
      areParameters(args, { name: 'input', scale: 1, zero: 2, size }, context) &&
      areParameters(args, { name: 'output', scale: 3, zero: 4 }, context);
    return fits ? tensorType(data.shape, dtype) : undefined;
  },
  kernel: (args, { axis, rounding, out_dtype: dtype }, out) => {
    const from = quantizationOf(args, { scale: 1, zero: 2, axis });
    const [scale, zero] = [readNumber(args.tensor(3), 0), readNumber(args.tensor(4), 0)];
    return kernel(args.tensor(0), from, { scale, zero }, dtype, rounding, out);
  },
  form: {
    _tag: 'Steps',
    axis: ({ axis }) => axis,
    steps: (site) => requantizedSteps(site, site.attrs.rounding),
  },
  cost: (_args, result) => 6 * elementCount(result),
  ...quantizes,
  domain: [undefined, SCALES, POINTS, SCALES, POINTS],
  examples: [
    { args: [i32(2, 3), f32(), i32(), f32(), i32()], result: i8(2, 3) },
    {
      args: [i8(2, 3), f32s(0.5, 0.25), i32(), f32(), i32()],
      attrs: { axis: 0, rounding: 'TONEAREST', out_dtype: 'uint8' },
      result: u8(2, 3),
    },
  ],
});
