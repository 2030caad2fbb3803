import { anyOf } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { broadcastForm } from '../../form/views.ts';
import { hasRank, sameDType, tensorArg, tensorTypeArg } from '../../relation/known.ts';
import { likeFirst } from '../../relayout/rules.ts';

export const fullLike = defineOp({
  name: 'full_like',
  doc: 'A tensor with the type of `data`, filled with a scalar.',
  source: 'operators §4; NumPy full_like',
  inputs: ['data', 'fill_value'],
  relation: (args, _attrs, context) => {
    const data = tensorTypeArg(args, 0, context);
    const fill = tensorArg(args, 1, context);
    if (data === undefined || fill === undefined) return undefined;
    if (!hasRank(fill, '`fill_value`', [0], context)) return undefined;
    const dtype = sameDType(data.dtype, fill.dtype, '`fill_value`', context);
    return dtype === undefined ? undefined : context.resolve(data);
  },
  form: { ...broadcastForm, argument: 1 },
  kind: 'elementwise',
  // Only the type of the data is read.
  fusion: 'elemwise',
  relayout: likeFirst,
  bounds: anyOf,
  gradient: ({ g, op }) => [undefined, op('sum', [g])],
  examples: [{ args: [f32(2, 3), f32()], result: f32(2, 3) }],
});
