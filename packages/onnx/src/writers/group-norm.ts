/** `nn.group_norm`: each group is an instance of one channel. */
import { formula } from '../forms/formula.ts';
import { affine, vectorOf, withChannelsSecond } from '../forms/normalization.ts';
import { inFloat32 } from '../forms/wide.ts';
import { float, holdsFloat, int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const groupNorm: OnnxExporter = inFloat32(
  formula('nn.group_norm', (context, x, gamma, beta) => {
    const { attrs, call } = context;
    const [groups, epsilon] = [attrs.int('num_groups'), attrs.float('epsilon')];
    const moved = withChannelsSecond(context, 'nn.group_norm', [x, gamma, beta]);
    if (moved !== undefined) return moved;
    const isAffine = attrs.bool('scale') && attrs.bool('center');
    if (context.opset >= 21 && isAffine && holdsFloat(epsilon, context.dtype(x))) {
      const attributes = { num_groups: int(groups), epsilon: float(epsilon) };
      return context.node('GroupNormalization', [x, gamma, beta], attributes);
    }
    const flat = call('reshape', [x], { newshape: [0, groups, -1] });
    const [ones, zeros] = [vectorOf(context, groups, 1, x), vectorOf(context, groups, 0, x)];
    const normal = call('nn.instance_norm', [flat, ones, zeros], { epsilon });
    return affine(context, call('reshape_like', [normal, x]), [gamma, beta], 1);
  }),
  ({ attrs, opset }) => !(opset >= 21 && attrs.bool('scale') && attrs.bool('center')),
);
