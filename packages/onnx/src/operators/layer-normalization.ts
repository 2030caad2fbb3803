/** `LayerNormalization` over the axes from `axis` on, with mean and deviation if they are used. */
import { normalized } from '../families/layer-normalization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const layerNormalization: OnnxImporter = {
  opType: 'LayerNormalization',
  kernelSince: 17,
  // One formula for three results: what they share is computed once only if it stays together.
  kernelWhen: ({ isUsed }) => isUsed(1) || isUsed(2),
  convert: (context) => {
    const [x, scale, bias] = [context.input(0), context.input(1), context.optional(2)];
    const rank = context.dimsOf(x).length;
    const first = context.axis(context.attributes.int('axis'), rank);
    if (context.hasFailed()) return undefined;
    const epsilon = context.attributes.float('epsilon');
    const isPlain = !context.isUsed(1) && !context.isUsed(2);
    const isVector = context.dimsOf(scale).length === 1;
    if (isPlain && isVector && bias !== undefined && first === rank - 1) {
      return context.call('nn.layer_norm', [x, scale, bias], { axis: first, epsilon });
    }
    const { result, mean, inverse } = normalized(context, x, scale, bias, first);
    return [result, mean, inverse];
  },
};
