/** `Conv`: cross-correlation over one to three spatial axes, with a bias per channel. */
import { convolved } from '../families/convolution.ts';
import { padsAtRun } from '../families/spatial.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const conv: OnnxImporter = {
  opType: 'Conv',
  kernelSince: 1,
  kernelWhen: (context) => {
    const [dims, weight] = [0, 1].map((place) => context.dimsOf(context.input(place)));
    return padsAtRun(context, dims ?? [], weight?.slice(2));
  },
  convert: (context) => {
    const bias = context.optional(2);
    const result = convolved(context, context.input(0), context.input(1));
    if (result === undefined || bias === undefined) return result;
    return context.call('nn.bias_add', [result, bias], { axis: 1 });
  },
};
