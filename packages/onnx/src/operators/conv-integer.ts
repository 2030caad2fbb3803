/** `ConvInteger`: the convolution of quantized integers, as 32-bit integers. */
import { convolved } from '../families/convolution.ts';
import { alongAxis, centred } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const convInteger: OnnxImporter = {
  opType: 'ConvInteger',
  kernelSince: 10,
  convert: (context) => {
    const [x, weight, zero] = [context.input(0), context.input(1), context.optional(3)];
    const rank = context.dimsOf(weight).length;
    const point = zero && alongAxis(context, zero, rank, 0);
    if (context.hasFailed()) return undefined;
    const data = centred(context, x, context.optional(2));
    return convolved(context, data, centred(context, weight, point));
  },
};
