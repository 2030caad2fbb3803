import { tensorType } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { float } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i8, i32 } from '../../example-types.ts';
import { POINTS, quantizationOf, quantizes, SCALES } from '../../families/quantized.ts';
import { leakyRelu as kernel } from '../../kernels/quantized.ts';
import { areParameters, integersArg } from '../../relation/quantized.ts';

export const qnnLeakyRelu = defineOp({
  name: 'qnn.leaky_relu',
  doc: 'The leaky rectifier of quantized integers, requantized to the scale and zero point of the output.',
  source: 'operators §9; Relay v0.16 qnn.leaky_relu',
  inputs: ['x', 'input_scale', 'input_zero_point', 'output_scale', 'output_zero_point'],
  attrs: attrs({ alpha: float }),
  relation: (args, _attrs, context) => {
    const x = integersArg(args, 0, context);
    const fits =
      areParameters(args, { name: 'input', scale: 1, zero: 2 }, context) &&
      areParameters(args, { name: 'output', scale: 3, zero: 4 }, context);
    return fits && x ? tensorType(x.shape, x.dtype) : undefined;
  },
  kernel: (args, { alpha }, out) => {
    const to = { scale: readNumber(args.tensor(3), 0), zero: readNumber(args.tensor(4), 0) };
    return kernel(args.tensor(0), quantizationOf(args, { scale: 1, zero: 2 }), to, alpha, out);
  },
  cost: (_args, result) => 12 * elementCount(result),
  ...quantizes,
  domain: [undefined, SCALES, POINTS, SCALES, POINTS],
  examples: [
    { args: [i8(2, 3), f32(), i32(), f32(), i32()], attrs: { alpha: 0.3 }, result: i8(2, 3) },
  ],
});
