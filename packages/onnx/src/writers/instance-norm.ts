/** `nn.instance_norm`: the channels are the second axis. */
import { formula } from '../forms/formula.ts';
import {
  affine,
  scaleOf,
  shiftOf,
  standardized,
  withChannelsSecond,
} from '../forms/normalization.ts';
import { float, holdsFloat } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const instanceNorm: OnnxExporter = formula('nn.instance_norm', (context, x, gamma, beta) => {
  const { attrs } = context;
  const moved = withChannelsSecond(context, 'nn.instance_norm', [x, gamma, beta]);
  if (moved !== undefined) return moved;
  const epsilon = attrs.float('epsilon');
  if (!holdsFloat(epsilon, context.dtype(x))) {
    const axes = context.dims(x).flatMap((_, axis) => (axis < 2 ? [] : [axis]));
    return affine(context, standardized(context, x, axes, epsilon), [gamma, beta], 1);
  }
  const [scale, shift] = [scaleOf(context, gamma), shiftOf(context, beta)];
  if (scale === undefined || shift === undefined) return undefined;
  return context.node('InstanceNormalization', [x, scale, shift], { epsilon: float(epsilon) });
});
