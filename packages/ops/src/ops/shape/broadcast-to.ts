import { tensorType } from '@baton/ir';
import { dtype, list, naturalInt, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { broadcastForm } from '../../form/views.ts';
import { broadcastsTo } from '../../relation/broadcast-to.ts';
import { ofTensor, sameDType } from '../../relation/known.ts';

export const broadcastTo = defineOp({
  name: 'broadcast_to',
  doc: 'The data broadcast to `shape`; `dtype`, if given, must be the data’s.',
  source: 'operators §4; NumPy broadcast_to',
  attrs: attrs({ shape: list(naturalInt), dtype: withDefault(orNone(dtype), null) }),
  relation: ofTensor((data, attrs, context) => {
    const type =
      attrs.dtype === null ? data.dtype : sameDType(attrs.dtype, data.dtype, '`data`', context);
    const shape = broadcastsTo(data.shape, attrs.shape, context);
    return shape === undefined || type === undefined ? undefined : tensorType(shape, type);
  }),
  form: broadcastForm,
  gradient: ({ args: [x], g, sumLike }) => [sumLike(g, x)],
  examples: [{ args: [f32(3, 1)], attrs: { shape: [2, 3, 5] }, result: f32(2, 3, 5) }],
});
