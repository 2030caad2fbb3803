import { tupleType } from '@baton/ir';
import { full } from '@baton/tensor';
import { float } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { define } from '../../definition/column.ts';
import { f32 } from '../../example-types.ts';
import { sameForm } from '../../form/views.ts';
import { inDomain, tensorTypeArg } from '../../relation/known.ts';

export const dropout = defineOp({
  name: 'nn.dropout',
  doc: 'The data, and a mask of ones: nothing is dropped at inference.',
  source: 'operators §7; Relay v0.14 nn.dropout',
  attrs: attrs({ rate: withDefault(float, 0.5) }),
  relation: (args, _attrs, context) => {
    const data = tensorTypeArg(args, 0, context);
    if (data === undefined || !inDomain(data.dtype, 'number', context)) return undefined;
    return tupleType([data, data]);
  },
  kernel: (args, _attrs, out) => {
    const data = args.tensor(0);
    return [data, full(data.shape, data.dtype, 1, out)];
  },
  kind: 'other',
  form: sameForm,
  foldable: 'removed',
  definition: define('(?data, ones_like(?data))', { isExact: true }),
  gradient: ({ g, item }) => [item(g, 0)],
  examples: [{ args: [f32(2, 3)], result: [f32(2, 3), f32(2, 3)] }],
});
