/** `QLinearConv`: the convolution of quantized integers, quantized again. */
import { convolved } from '../families/convolution.ts';
import { alongAxis, centred, requantized } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const qLinearConv: OnnxImporter = {
  opType: 'QLinearConv',
  kernelSince: 10,
  convert: (context) => {
    const { input } = context;
    const [x, weight, bias] = [input(0), input(3), context.optional(8)];
    const rank = context.dimsOf(weight).length;
    // One scale and zero point for each channel of the result, or one for all.
    const [point, scale] = [input(5), input(4)];
    const points = alongAxis(context, point, rank, 0);
    const scales = alongAxis(context, scale, rank, 1);
    if (points === undefined || scales === undefined) return undefined;
    const data = centred(context, x, input(2));
    const sum = convolved(context, data, centred(context, weight, points));
    if (sum === undefined) return undefined;
    const whole = bias ? context.call('nn.bias_add', [sum, bias], { axis: 1 }) : sum;
    return requantized(context, whole, [input(1), scales, input(6)], input(7));
  },
};
