import { tensorType } from '@baton/ir';
import { defineOp } from '../../define-op.ts';
import { wrongRank } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { productOfDims } from '../../relation/dims.ts';
import { dimAt, ofTensor, report } from '../../relation/known.ts';

export const batchFlatten = defineOp({
  name: 'nn.batch_flatten',
  doc: 'Merges all axes but the first.',
  source: 'operators §6; Relay v0.14 nn.batch_flatten',
  relation: ofTensor((data, _attrs, context) => {
    if (data.shape.length === 0) return report(context, wrongRank('`data`', 'at least rank 1', 0));
    return tensorType([dimAt(data, 0), productOfDims(data.shape.slice(1))], data.dtype);
  }),
  form: reshapeForm('partly'),
  quantizing: 'movement',
  examples: [
    { args: [f32(2, 3, 5)], result: f32(2, 15) },
    { args: [f32(2)], result: f32(2, 1) },
  ],
});
