import { type Dim, tensorType } from '@baton/ir';
import { bool, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { interpolates } from '../../families/interpolation.ts';
import { gridSample as kernel } from '../../kernels/grid-sample.ts';
import { hasRank, hasShape, inDomain, ofTwo, report, sameDType } from '../../relation/known.ts';

export const gridSample = defineOp({
  name: 'image.grid_sample',
  doc: 'The images sampled at the points of a grid, whose coordinates are x, y (and z), from −1 to 1.',
  source: 'operators §6; PyTorch grid_sample, with the coordinates along the second axis',
  inputs: ['data', 'grid'],
  attrs: attrs({
    method: withDefault(oneOf('bilinear', 'nearest', 'bicubic'), 'bilinear'),
    layout: withDefault(oneOf('NCHW', 'NCDHW'), 'NCHW'),
    padding_mode: withDefault(oneOf('zeros', 'border', 'reflection'), 'zeros'),
    align_corners: withDefault(bool, true),
  }),
  relation: ofTwo((data, grid, attrs, context) => {
    const rank = attrs.layout.length;
    if (attrs.method === 'bicubic' && rank > 4) {
      return report(context, badAttr('method', 'bicubic is for images of two axes'));
    }
    if (!hasRank(data, '`data`', [rank], context) || !hasRank(grid, '`grid`', [rank], context)) {
      return undefined;
    }
    if (!inDomain(data.dtype, 'float', context)) return undefined;
    if (sameDType(data.dtype, grid.dtype, '`grid`', context) === undefined) return undefined;
    const [batch, channels, ...spatial] = data.shape as readonly [Dim, Dim, ...Dim[]];
    if (spatial.includes(0)) return report(context, badExtent('the image', 'it has no places'));
    const [, , ...places] = grid.shape;
    if (!hasShape(grid, '`grid`', [batch, rank - 2, ...places], context)) return undefined;
    return tensorType([batch, channels, ...places], data.dtype);
  }),
  kernel: (args, attrs, out) =>
    kernel(
      args.tensor(0),
      args.tensor(1),
      out.shape,
      {
        method: attrs.method,
        padding: attrs.padding_mode,
        alignCorners: attrs.align_corners,
      },
      out,
    ),
  cost: (_args, result, { method, layout }) => {
    const along = { nearest: 1, bilinear: 2, bicubic: 4 }[method];
    return elementCount(result) * 2 * along ** (layout.length - 2);
  },
  ...interpolates,
  examples: [
    { args: [f32(2, 3, 4, 5), f32(2, 2, 6, 7)], result: f32(2, 3, 6, 7) },
    {
      args: [f32(1, 2, 3, 4, 5), f32(1, 3, 2, 2, 2)],
      attrs: { layout: 'NCDHW', padding_mode: 'reflection', align_corners: false },
      result: f32(1, 2, 2, 2, 2),
    },
  ],
});
