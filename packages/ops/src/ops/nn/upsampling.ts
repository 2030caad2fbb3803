import type { OpInfo } from '@baton/ir';
import { float } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { resizedType, resizes, scaledDim } from '../../families/resize.ts';
import { upsamplingProps } from '../../families/upsampling.ts';
import type { ResizeMethod, ResizeOptions } from '../../kernels/resize.ts';
import { report } from '../../relation/known.ts';
import { imageLayouts } from '../../relayout/rules.ts';

const METHODS: Readonly<Record<'nearest_neighbor' | 'bilinear' | 'bicubic', ResizeMethod>> = {
  nearest_neighbor: 'nearest_neighbor',
  bilinear: 'linear',
  bicubic: 'cubic',
};

export const upsampling: OpInfo = defineOp({
  name: 'nn.upsampling',
  doc: 'The images scaled by `scale_h` and `scale_w`.',
  source: 'operators §6; Relay v0.14 nn.upsampling',
  attrs: attrs({ scale_h: float, scale_w: float, ...upsamplingProps }),
  relation: (args, attrs, context) => {
    const { scale_h: high, scale_w: wide } = attrs;
    if (!(high > 0) || !(wide > 0)) {
      return report(context, badAttr('scale_h', 'expected scales above 0'));
    }
    return resizedType(args, attrs.layout, 2, context, undefined, (spatial) =>
      spatial.map((dim, i) => scaledDim(dim, i === 0 ? high : wide)),
    );
  },
  ...resizes(2, (given: Given) => ({ layout: given.layout, options: optionsOf(given) })),
  layoutAttributes: imageLayouts,
  examples: [
    { args: [f32(1, 2, 3, 4)], attrs: { scale_h: 2, scale_w: 1.5 }, result: f32(1, 2, 6, 6) },
    {
      args: [f32(1, 3, 4, 2)],
      attrs: { scale_h: 2, scale_w: 2, layout: 'NHWC', method: 'bilinear', align_corners: true },
      result: f32(1, 6, 8, 2),
    },
  ],
});

interface Given {
  readonly layout: string;
  readonly method: keyof typeof METHODS;
  readonly align_corners: boolean;
}

const optionsOf = (attrs: Given): ResizeOptions => ({
  method: METHODS[attrs.method],
  coordinates: attrs.align_corners ? 'align_corners' : 'asymmetric',
  rounding: attrs.align_corners ? 'round' : 'floor',
  cubicAlpha: -0.5,
  cubicExclude: false,
  extrapolation: 0,
});
