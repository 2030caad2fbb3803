import { type Dim, tensorType } from '@baton/ir';
import { list, positiveInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { interpolates } from '../../families/interpolation.ts';
import { affineGrid as kernel } from '../../kernels/grid-sample.ts';
import { hasRank, hasShape, inDomain, ofTensor } from '../../relation/known.ts';

export const affineGrid = defineOp({
  name: 'image.affine_grid',
  doc: 'The coordinates of the pixels of an image under affine maps; the corners are at −1 and 1.',
  source: 'operators §6; Jaderberg et al., "Spatial Transformer Networks" (2015)',
  attrs: attrs({ target_shape: list(positiveInt, [2]) }),
  relation: ofTensor((data, { target_shape: target }, context) => {
    if (!hasRank(data, '`data`', [3], context)) return undefined;
    if (!inDomain(data.dtype, 'float', context)) return undefined;
    const batch = data.shape[0] as Dim;
    if (!hasShape(data, '`data`', [batch, 2, 3], context)) return undefined;
    return tensorType([batch, 2, ...target], data.dtype);
  }),
  kernel: (args, _attrs, out) => kernel(args.tensor(0), out.shape, out),
  cost: (_args, result) => 4 * elementCount(result),
  ...interpolates,
  examples: [{ args: [f32(2, 2, 3)], attrs: { target_shape: [4, 5] }, result: f32(2, 2, 4, 5) }],
});
