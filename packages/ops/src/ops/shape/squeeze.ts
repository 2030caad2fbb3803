import { describeDim, tensorType } from '@baton/ir';
import { int, list, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, dimMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { dimAgrees } from '../../relation/dims.ts';
import { dimAt, normalAxes, ofTensor, report } from '../../relation/known.ts';
import { squeezed } from '../../relayout/rules.ts';

export const squeeze = defineOp({
  name: 'squeeze',
  doc: 'Drops axes of size 1: those listed, or all of them.',
  source: 'operators §4; NumPy squeeze',
  attrs: attrs({ axis: withDefault(orNone(list(int)), null) }),
  relation: ofTensor((data, { axis }, context) => {
    const open = data.shape.find((dim) => typeof dim !== 'number');
    if (axis === null && open !== undefined) {
      return report(context, badAttr('axis', `list the axes: ${describeDim(open)} may be 1`));
    }
    const ones = data.shape.flatMap((dim, i) => (dim === 1 ? [i] : []));
    const dropped = normalAxes(axis ?? ones, data.shape.length, context);
    if (dropped === undefined) return undefined;
    for (const at of dropped) {
      const dim = dimAt(data, at);
      if (!dimAgrees(dim, 1)) return report(context, dimMismatch(`axis ${at} of \`data\``, 1, dim));
    }
    return tensorType(
      data.shape.filter((_, i) => !dropped.includes(i)),
      data.dtype,
    );
  }),
  relayout: squeezed,
  form: reshapeForm('partly'),
  examples: [
    { args: [f32(1, 3, 1)], result: f32(3) },
    { args: [f32(1, 3, 1)], attrs: { axis: [0] }, result: f32(3, 1) },
    { args: [f32(1, 3, 1)], attrs: { axis: [-1] }, result: f32(1, 3) },
  ],
});
