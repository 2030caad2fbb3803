import { type Dim, tensorType } from '@baton/ir';
import { cast, fromNumbers } from '@baton/tensor';
import { dtypeOrEmpty, float, list, oneOf, orNone, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i32s } from '../../example-types.ts';
import { interpolates } from '../../families/interpolation.ts';
import { TAPS } from '../../families/resize.ts';
import { cropAndResize as kernel } from '../../kernels/crop-and-resize.ts';
import { layoutDims, parseLayout, plainDims } from '../../layout/layout.ts';
import { fromPlain, toPlain } from '../../layout/transform.ts';
import { hasRank, hasShape, inDomain, report, tensorArg } from '../../relation/known.ts';
import { imageLayouts } from '../../relayout/rules.ts';

/** A part, a reversed one, and one that extends past the image. */
const someBoxes = fromNumbers(
  [0.25, 0.125, 0.75, 1, 0.875, 0.5, 0.25, 0, -0.25, 0.5, 0.5, 1.5],
  [3, 4],
  'float32',
);

export const cropAndResize = defineOp({
  name: 'image.crop_and_resize',
  doc: 'Boxes of images, resized to one size: y and x of two corners, from 0 to 1, and the index of the image for each box. Pixels outside the image are `extrapolation_value`.',
  source: 'operators §6; TensorFlow image.crop_and_resize',
  inputs: ['data', 'boxes', 'box_indices'],
  attrs: attrs({
    crop_size: list(positiveInt, [2]),
    layout: withDefault(oneOf('NCHW', 'NHWC'), 'NCHW'),
    method: withDefault(oneOf('bilinear', 'nearest_neighbor'), 'bilinear'),
    extrapolation_value: withDefault(float, 0),
    out_dtype: withDefault(orNone(dtypeOrEmpty), null),
  }),
  relation: (args, given, context) => {
    const [data, boxes, images] = [0, 1, 2].map((index) => tensorArg(args, index, context));
    if (data === undefined || boxes === undefined || images === undefined) return undefined;
    if (!hasRank(data, '`data`', [4], context) || !hasRank(boxes, '`boxes`', [2], context)) {
      return undefined;
    }
    if (!inDomain(data.dtype, 'number', context)) return undefined;
    if (!inDomain(boxes.dtype, 'float', context)) return undefined;
    if (!inDomain(images.dtype, 'int', context)) return undefined;
    const [count] = boxes.shape as readonly [Dim];
    if (!hasShape(boxes, '`boxes`', [count, 4], context)) return undefined;
    if (!hasShape(images, '`box_indices`', [count], context, '`boxes`')) return undefined;
    const layout = parseLayout(given.layout) ?? [];
    const [batch, channels, ...places] = plainDims(data.shape, layout, 'NCHW');
    if (batch === 0 && count !== 0) {
      return report(context, badExtent('the batch', 'it has no image of a box'));
    }
    if (places.includes(0)) return report(context, badExtent('the image', 'it has no places'));
    const shape = layoutDims([count, channels as Dim, ...given.crop_size], 'NCHW', layout);
    return shape && tensorType(shape, given.out_dtype || data.dtype);
  },
  kernel: (args, given, out) => {
    const dtype = given.out_dtype || args.tensor(0).dtype;
    const data = toPlain(cast(args.tensor(0), dtype, out), given.layout, 'NCHW', out);
    const options = {
      size: given.crop_size,
      method: given.method === 'bilinear' ? ('linear' as const) : given.method,
      extrapolation: given.extrapolation_value,
    };
    const crops = kernel(data, args.tensor(1), args.tensor(2), options, out);
    return fromPlain(crops, 'NCHW', given.layout, out);
  },
  cost: (_args, result, { method }) =>
    elementCount(result) * 4 * TAPS[method === 'bilinear' ? 'linear' : method],
  ...interpolates,
  layoutAttributes: imageLayouts,
  examples: [
    {
      args: [f32(2, 3, 7, 6), someBoxes, i32s(0, 1, 1)],
      attrs: { crop_size: [3, 5] },
      result: f32(3, 3, 3, 5),
    },
    {
      args: [f32(1, 7, 6, 3), someBoxes, i32s(0, 0, 0)],
      attrs: {
        crop_size: [2, 1],
        layout: 'NHWC',
        method: 'nearest_neighbor',
        extrapolation_value: 0.5,
      },
      result: f32(3, 2, 1, 3),
    },
  ],
});
