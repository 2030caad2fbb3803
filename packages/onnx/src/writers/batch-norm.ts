/** `nn.batch_norm`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { scaleOf, shiftOf, withExchanged } from '../forms/normalization.ts';
import { fromFront } from '../forms/types.ts';
import { float } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const batchNorm: OnnxWriter = formula(
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
    const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
    if (scale === undefined || shift === undefined) return undefined;
    const epsilon = float(attrs.float('epsilon'));
    const inputs = [x, scale, shift, mean, variance];
    return [context.node('BatchNormalization', inputs, { epsilon }), mean, variance];
  },
);
