import { tensorType } from '@baton/ir';
import { int, list, naturalInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { ofTensor } from '../../relation/known.ts';
import { reshapeDims } from '../../relation/reshape.ts';
import { reshapeScale } from '../../scale-axis/maps.ts';

export const reshape = defineOp({
  name: 'reshape',
  doc: 'The same elements, in row-major order, in another shape; `newshape` may hold codes.',
  source: 'operators §4; Relay v0.14 reshape',
  attrs: attrs({ newshape: list(int), allowzero: withDefault(naturalInt, 0) }),
  relation: ofTensor((data, { newshape, allowzero }, context) => {
    const shape = reshapeDims(data.shape, newshape, allowzero !== 0, context);
    return shape === undefined ? undefined : tensorType(shape, data.dtype);
  }),
  scaleAxis: reshapeScale,
  form: reshapeForm('freely'),
  quantizing: 'movement',
  common: true,
  examples: [
    { args: [f32(2, 3, 4)], attrs: { newshape: [4, 0, 2] }, result: f32(4, 3, 2) },
    { args: [f32(2, 3, 4)], attrs: { newshape: [-4, 1, 2, -2] }, result: f32(1, 2, 3, 4) },
    { args: [f32(0, 3)], attrs: { newshape: [3, 0], allowzero: 1 }, result: f32(3, 0) },
  ],
});
