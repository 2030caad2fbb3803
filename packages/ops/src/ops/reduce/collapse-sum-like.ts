import { tensorType } from '@baton/ir';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { unchangedForm } from '../../form/views.ts';
import { sumTo } from '../../kernels/reduce.ts';
import { collapsedShape } from '../../relation/collapse.ts';
import { ofTwo } from '../../relation/known.ts';

export const collapseSumLike = defineOp({
  name: 'collapse_sum_like',
  doc: 'Sums over the axes that `like` was broadcast along, so that the result has its shape.',
  source: 'operators §3',
  inputs: ['data', 'like'],
  relation: ofTwo((data, like, _attrs, context) => {
    const shape = collapsedShape(data.shape, like.shape, context);
    return shape === undefined ? undefined : tensorType(shape, data.dtype);
  }),
  form: unchangedForm,
  kernel: (args, _attrs, out) => sumTo(args.tensor(0), out.shape, out),
  kind: 'reduction',
  gradient: ({ args: [x], g, spreadLike }) => [spreadLike(g, x)],
  examples: [{ args: [f32(2, 3, 5), f32(3, 1)], result: f32(3, 1) }],
});
