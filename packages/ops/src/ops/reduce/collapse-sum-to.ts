import { tensorType } from '@baton/ir';
import { tensor } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { unchangedForm } from '../../form/views.ts';
import { sumTo } from '../../kernels/reduce.ts';
import { collapsedShape } from '../../relation/collapse.ts';
import { tensorArg } from '../../relation/known.ts';
import { shapeOperand } from '../../relation/shape-operand.ts';

export const collapseSumTo = defineOp({
  name: 'collapse_sum_to',
  doc: 'Sums over the axes that a tensor of shape `shape` was broadcast along.',
  source: 'operators §3',
  inputs: ['data', 'shape'],
  relation: (args, _attrs, context) => {
    const data = tensorArg(args, 0, context);
    const wanted = shapeOperand(args, 1, context);
    if (data === undefined || wanted === undefined) return undefined;
    const shape = collapsedShape(data.shape, wanted, context);
    return shape === undefined ? undefined : tensorType(shape, data.dtype);
  },
  form: unchangedForm,
  kernel: (args, _attrs, out) => sumTo(args.tensor(0), out.shape, out),
  kind: 'reduction',
  gradient: ({ args: [x], g, spreadLike }) => [spreadLike(g, x)],
  relayText: {
    record: 'relay.attrs.InitOpAttrs',
    unset: { shape: null, dtype: '' },
  },
  examples: [{ args: [f32(2, 3, 5), tensor([3, 1], [2], 'int64')], result: f32(3, 1) }],
});
