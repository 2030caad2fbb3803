/** `nn.group_norm`: each group is an instance of one channel. */
import { formula } from '../forms/formula.ts';
import { affine, exchanged, vectorOf } from '../forms/normalization.ts';
import { fromFront } from '../forms/types.ts';
import { float, int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const groupNorm: OnnxWriter = formula('nn.group_norm', (context, x, gamma, beta) => {
  const { attrs, call } = context;
  const rank = context.dims(x).length;
  const axis = fromFront(attrs.int('axis'), rank);
  const [groups, epsilon] = [attrs.int('num_groups'), Number(attrs.value('epsilon'))];
  if (axis !== 1) {
    const axes = exchanged(rank, 1, axis);
    const moved = call('transpose', [x], { axes });
    const all = { ...attrs.all, axis: 1 };
    return call('transpose', [call('nn.group_norm', [moved, gamma, beta], all)], { axes });
  }
  if (context.opset >= 21 && attrs.bool('scale') && attrs.bool('center')) {
    const attributes = { num_groups: int(groups), epsilon: float(epsilon) };
    return context.node('GroupNormalization', [x, gamma, beta], attributes);
  }
  const flat = call('reshape', [x], { newshape: [0, groups, -1] });
  const [ones, zeros] = [vectorOf(context, groups, 1, x), vectorOf(context, groups, 0, x)];
  const normal = call('nn.instance_norm', [flat, ones, zeros], { epsilon });
  return affine(context, call('reshape_like', [normal, x]), [gamma, beta], 1);
});
