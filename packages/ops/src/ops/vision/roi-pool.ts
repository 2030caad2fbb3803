import { float, list, oneOf, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { regionsType, someRegions, takesRegions } from '../../families/regions.ts';
import { roiPool as kernel } from '../../kernels/roi.ts';

export const roiPool = defineOp({
  name: 'vision.roi_pool',
  doc: 'Regions of images, resized to one size: the maximum of each cell. A region is the index of an image, and x and y of two corners.',
  source:
    'operators §8; Girshick, "Fast R-CNN" (2015); Relay v0.14 vision.roi_pool; ONNX MaxRoiPool-1',
  ...takesRegions,
  numerics: 'exact',
  attrs: attrs({
    pooled_size: list(positiveInt, [2]),
    spatial_scale: float,
    layout: withDefault(oneOf('NCHW'), 'NCHW'),
  }),
  relation: (args, given, context) => regionsType(args, 'NCHW', given.pooled_size, context),
  kernel: (args, given, out) => {
    const [height = 1, width = 1] = given.pooled_size;
    const options = { size: [height, width] as const, scale: given.spatial_scale };
    return kernel(args.tensor(0), args.tensor(1), options, out);
  },
  cost: ([data], result) => elementCount(result) + (data === undefined ? 0 : elementCount(data)),
  onnx: {
    opType: 'MaxRoiPool',
    versions: [1, 22],
    attributes: [
      { name: 'pooled_shape', as: 'pooled_size', kind: 'ints' },
      { name: 'spatial_scale', as: 'spatial_scale', kind: 'float', defaultValue: 1 },
    ],
  },
  examples: [
    {
      args: [f32(2, 3, 7, 6), someRegions],
      attrs: { pooled_size: [2, 3], spatial_scale: 0.5 },
      result: f32(3, 3, 2, 3),
    },
    {
      args: [f32(1, 2, 5, 6), someRegions],
      attrs: { pooled_size: [1, 1], spatial_scale: 1 },
      result: f32(3, 2, 1, 1),
    },
  ],
});
