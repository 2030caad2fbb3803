/** The operator `contrib_reverse_reshape`: a reshape whose codes are read from the last axis on. */

import { type Dim, type RelationContext, tensorType } from '@baton/ir';
import { int, list, naturalInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { ofTensor, report } from '../../relation/known.ts';
import { reshapeDims } from '../../relation/reshape.ts';

export const contribReverseReshape = defineOp({
  name: 'contrib_reverse_reshape',
  doc: 'As `reshape`, with the codes of `newshape` read from the right.',
  source: 'operators §4; Relay v0.14 contrib_reverse_reshape',
  attrs: attrs({ newshape: list(int), allowzero: withDefault(naturalInt, 0) }),
  relation: ofTensor((data, { newshape, allowzero }, context) => {
    const shape = reversedDims(data.shape, newshape, allowzero !== 0, context);
    return shape === undefined ? undefined : tensorType(shape, data.dtype);
  }),
  form: reshapeForm('freely'),
  examples: [
    { args: [f32(10, 5, 4)], attrs: { newshape: [-1, 0] }, result: f32(50, 4) },
    { args: [f32(2, 3, 4)], attrs: { newshape: [-3, 0] }, result: f32(6, 4) },
    { args: [f32(2, 3, 4)], attrs: { newshape: [-2] }, result: f32(2, 3, 4) },
  ],
});

/** The shape that the codes yield, with both lists read from the right. */
function reversedDims(
  dims: ReadonlyArray<Dim>,
  newshape: ReadonlyArray<number>,
  allowZero: boolean,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  if (newshape.includes(-4)) {
    return report(context, badAttr('newshape', 'from the right, -4 splits nothing'));
  }
  const codes = [...newshape].reverse();
  return reshapeDims([...dims].reverse(), codes, allowZero, context)?.toReversed();
}
