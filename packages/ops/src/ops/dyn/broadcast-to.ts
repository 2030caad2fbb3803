import { tensorType } from '@baton/ir';
import { broadcastView, tensor } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { broadcastsTo } from '../../relation/broadcast-to.ts';
import { tensorArg } from '../../relation/known.ts';
import { shapeOperand } from '../../relation/shape-operand.ts';

export const dynBroadcastTo = defineOp({
  name: 'dyn.broadcast_to',
  doc: 'The data broadcast to the shape in a vector.',
  source: 'operators §4; NumPy broadcast_to',
  inputs: ['data', 'shape'],
  relation: (args, _attrs, context) => {
    const data = tensorArg(args, 0, context);
    const wanted = shapeOperand(args, 1, context);
    if (data === undefined || wanted === undefined) return undefined;
    const shape = broadcastsTo(data.shape, wanted, context);
    return shape === undefined ? undefined : tensorType(shape, data.dtype);
  },
  kernel: (args, _attrs, out) => broadcastView(args.tensor(0), out.shape),
  kind: 'other',
  numerics: 'exact',
  gradient: ({ args: [x], g, sumLike }) => [sumLike(g, x)],
  staticForm: { name: 'broadcast_to', operands: { shape: 'ints' } },
  examples: [{ args: [f32(3, 1), tensor([2, 3, 5], [3], 'int64')], result: f32(2, 3, 5) }],
});
