/** The operator `qnn.dequantize`. */
import { tensorType } from '@baton/ir';
import { attrs } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s, i8, i32, u8 } from '../../example-types.ts';
import {
  axisProp,
  POINTS,
  parameter,
  quantizationOf,
  quantizes,
  SCALES,
  unscaled,
} from '../../families/quantized.ts';
import { dequantize as kernel } from '../../kernels/quantized.ts';
import { areParameters, integersArg, scaleType, sizeAlong } from '../../relation/quantized.ts';

export const qnnDequantize = defineOp({
  name: 'qnn.dequantize',
  doc: 'The floats that integers stand for: `(data - zero point) * scale`.',
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
  definition: (site) => {
    const [x, scale, zero] = site.args;
    const whole = site.op('cast', [x], { dtype: 'int32' });
    const centred = site.minus(whole, parameter(site, zero, 2));
    return site.times(site.op('cast_like', [centred, scale]), parameter(site, scale, 1));
  },
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
