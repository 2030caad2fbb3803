import { tensorType } from '@baton/ir';
import { int, naturalInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { areFewDims, normalAxis, ofTensor } from '../../relation/known.ts';

export const expandDims = defineOp({
  name: 'expand_dims',
  doc: 'Inserts `num_newaxis` axes of size 1 before `axis`; a negative axis counts from the end.',
  source: 'operators §4; NumPy expand_dims',
  attrs: attrs({ axis: int, num_newaxis: withDefault(naturalInt, 1) }),
  relation: ofTensor((data, { axis, num_newaxis: count }, context) => {
    // -1 is the position after the last axis: there is one position more than there are axes.
    const at = normalAxis(axis, data.shape.length + 1, context);
    if (at === undefined || !areFewDims(data.shape.length + count, context)) return undefined;
    const ones = new Array<number>(count).fill(1);
    return tensorType([...data.shape.slice(0, at), ...ones, ...data.shape.slice(at)], data.dtype);
  }),
  // As in TVM: the new axes broadcast.
  fusion: 'broadcast',
  form: reshapeForm('partly'),
  examples: [
    { args: [f32(2, 3)], attrs: { axis: 1 }, result: f32(2, 1, 3) },
    { args: [f32(2, 3)], attrs: { axis: -1, num_newaxis: 2 }, result: f32(2, 3, 1, 1) },
  ],
});
