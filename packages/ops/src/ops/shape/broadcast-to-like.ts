import { tensorType } from '@baton/ir';
import { defineOp } from '../../define-op.ts';
import { f32, i32 } from '../../example-types.ts';
import { broadcastForm } from '../../form/views.ts';
import { broadcastsTo } from '../../relation/broadcast-to.ts';
import { ofTwo } from '../../relation/known.ts';

export const broadcastToLike = defineOp({
  name: 'broadcast_to_like',
  doc: 'The data broadcast to the shape of `broadcast_type`.',
  source: 'operators §4',
  inputs: ['data', 'broadcast_type'],
  relation: ofTwo((data, like, _attrs, context) => {
    const shape = broadcastsTo(data.shape, like.shape, context);
    return shape === undefined ? undefined : tensorType(shape, data.dtype);
  }),
  form: broadcastForm,
  gradient: ({ args: [x], g, sumLike }) => [sumLike(g, x)],
  examples: [{ args: [f32(3, 1), i32(2, 3, 5)], result: f32(2, 3, 5) }],
});
