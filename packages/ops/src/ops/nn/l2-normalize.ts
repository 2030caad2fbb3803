import { float, int, list } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { timesInput } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { define } from '../../definition/column.ts';
import { f32 } from '../../example-types.ts';
import { l2Normalize as kernel } from '../../kernels/normalization.ts';
import { inDomain, normalAxes, ofTensor } from '../../relation/known.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const l2Normalize = defineOp({
  name: 'nn.l2_normalize',
  doc: 'Divides by the root of the sum of squares over `axis`, or of `eps` if that is larger.',
  source: 'operators §7',
  attrs: attrs({ eps: float, axis: list(int) }),
  relation: ofTensor((data, { axis }, context) => {
    if (!inDomain(data.dtype, 'float', context)) return undefined;
    const axes = normalAxes(axis, data.shape.length, context);
    return axes === undefined ? undefined : context.resolve(data.type);
  }),
  kernel: (args, { eps, axis }, out) => {
    const axes = axis.map((a) => args.axis(0, a));
    return kernel(args.tensor(0), axes, eps, out);
  },
  cost: timesInput(3),
  kind: 'normalization',
  definition: define('?data / sqrt(maximum(sum(?data * ?data, axis=?axis, keepdims=True), ?eps))'),
  relayout: keepsAxis,
  examples: [{ args: [f32(2, 3, 5)], attrs: { eps: 1e-6, axis: [1, -1] }, result: f32(2, 3, 5) }],
});
