/** `nn.instance_norm`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import { exchanged, scaleOf, shiftOf } from '../forms/normalization.ts';
import { fromFront } from '../forms/types.ts';
import { float } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const instanceNorm: OnnxWriter = formula('nn.instance_norm', (context, x, gamma, beta) => {
  const { attrs, call } = context;
  const rank = context.dims(x).length;
  const axis = fromFront(attrs.int('axis'), rank);
  if (axis !== 1) {
    const axes = exchanged(rank, 1, axis);
    const moved = call('transpose', [x], { axes });
    const all = { ...attrs.all, axis: 1 };
    return call('transpose', [call('nn.instance_norm', [moved, gamma, beta], all)], { axes });
  }
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  const epsilon = float(Number(attrs.value('epsilon')));
  return context.node('InstanceNormalization', [x, scale, shift], { epsilon });
});
