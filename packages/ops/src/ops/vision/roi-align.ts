import { float, int, list, oneOf, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { regionsType, someRegions, takesRegions } from '../../families/regions.ts';
import { roiAlign as kernel } from '../../kernels/roi.ts';
import { fromPlain, toPlain } from '../../layout/transform.ts';
import { imageLayouts } from '../../relayout/rules.ts';

export const roiAlign = defineOp({
  name: 'vision.roi_align',
  doc: 'Regions of images, resized to one size: the mean or the maximum of samples of each cell. A region is the index of an image, and x and y of two corners.',
  source: 'operators §8; He et al., "Mask R-CNN" (2017); Relay v0.14 vision.roi_align',
  ...takesRegions,
  numerics: 'smooth',
  attrs: attrs({
    pooled_size: list(positiveInt, [2]),
    spatial_scale: float,
    sample_ratio: withDefault(int, -1),
    layout: withDefault(oneOf('NCHW', 'NHWC'), 'NCHW'),
    mode: withDefault(oneOf('avg', 'max'), 'avg'),
  }),
  relation: (args, given, context) => regionsType(args, given.layout, given.pooled_size, context),
  kernel: (args, given, out) => {
    const [height = 1, width = 1] = given.pooled_size;
    const data = toPlain(args.tensor(0), given.layout, 'NCHW', out);
    const options = {
      size: [height, width] as const,
      scale: given.spatial_scale,
      samples: given.sample_ratio,
      mode: given.mode,
    };
    return fromPlain(kernel(data, args.tensor(1), options, out), 'NCHW', given.layout, out);
  },
  cost: (_args, result, { sample_ratio: samples }) =>
    elementCount(result) * 8 * Math.max(samples, 1) ** 2,
  layoutAttributes: imageLayouts,
  examples: [
    {
      args: [f32(2, 3, 7, 6), someRegions],
      attrs: { pooled_size: [2, 3], spatial_scale: 0.5 },
      result: f32(3, 3, 2, 3),
    },
    {
      args: [f32(1, 5, 6, 2), someRegions],
      attrs: {
        pooled_size: [2, 2],
        spatial_scale: 1,
        sample_ratio: 2,
        layout: 'NHWC',
        mode: 'max',
      },
      result: f32(3, 2, 2, 2),
    },
  ],
});
