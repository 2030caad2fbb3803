/** `nn.batch_norm`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { affine, scaleOf, shiftOf, withExchanged } from '../forms/normalization.ts';
import { alongAxis } from '../forms/reshaping.ts';
import { fromFront } from '../forms/types.ts';
import { float, holdsFloat } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const batchNorm: OnnxExporter = formula(
  'nn.batch_norm',
  (context, x, gamma, beta, mean, variance) => {
    const { attrs } = context;
    const rank = context.dims(x).length;
    const axis = fromFront(attrs.int('axis'), rank);
    if (rank < 2) return context.fail('expected data with a batch and channels');
    if (axis !== 1) {
      const all = { ...attrs.all, axis: 1 };
      const vectors = [gamma, beta, mean, variance];
      const normal = withExchanged(context, x, [1, axis], (moved) => {
        const [result = moved] = context.callOf('nn.batch_norm', [moved, ...vectors], all);
        return result;
      });
      return [normal, mean, variance];
    }
    const epsilon = attrs.float('epsilon');
    if (!holdsFloat(epsilon, context.dtype(x))) {
      const { call } = context;
      const deviation = call('sqrt', [call('add', [variance, epsilon])]);
      const centred = call('subtract', [x, alongAxis(context, mean, 1, rank)]);
      const normal = call('divide', [centred, alongAxis(context, deviation, 1, rank)]);
      return [affine(context, normal, [gamma, beta], 1), mean, variance];
    }
    const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
    if (scale === undefined || shift === undefined) return undefined;
    const inputs = [x, scale, shift, mean, variance];
    const node = context.node('BatchNormalization', inputs, { epsilon: float(epsilon) });
    return [node, mean, variance];
  },
);
