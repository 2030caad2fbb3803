/** `nn.instance_norm`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { scaleOf, shiftOf, withChannelsSecond } from '../forms/normalization.ts';
import { float } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const instanceNorm: OnnxWriter = formula('nn.instance_norm', (context, x, gamma, beta) => {
  const { attrs } = context;
  const moved = withChannelsSecond(context, 'nn.instance_norm', [x, gamma, beta]);
  if (moved !== undefined) return moved;
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  const epsilon = float(attrs.float('epsilon'));
  return context.node('InstanceNormalization', [x, scale, shift], { epsilon });
});
