import type { OpInfo } from '@baton/ir';
import { float } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { resizedType, resizes, scaledDim } from '../../families/resize.ts';
import { upsampling3dProps } from '../../families/upsampling.ts';
import type { CoordinateMode, ResizeMethod, ResizeOptions } from '../../kernels/resize.ts';
import { report } from '../../relation/known.ts';

const METHODS: Readonly<Record<'nearest_neighbor' | 'trilinear', ResizeMethod>> = {
  nearest_neighbor: 'nearest_neighbor',
  trilinear: 'linear',
};

export const upsampling3d: OpInfo = defineOp({
  name: 'nn.upsampling3d',
  doc: 'The volumes scaled by `scale_d`, `scale_h` and `scale_w`.',
  source: 'operators §6; Relay v0.14 nn.upsampling3d',
  attrs: attrs({ scale_d: float, scale_h: float, scale_w: float, ...upsampling3dProps }),
  relation: (args, attrs, context) => {
    const scales = [attrs.scale_d, attrs.scale_h, attrs.scale_w];
    if (scales.some((scale) => !(scale > 0))) {
      return report(context, badAttr('scale_d', 'expected scales above 0'));
    }
    return resizedType(args, attrs.layout, 3, context, undefined, (spatial) =>
      spatial.map((dim, i) => scaledDim(dim, scales[i] ?? 1)),
    );
  },
  ...resizes(3, (given: Given) => ({ layout: given.layout, options: optionsOf(given) })),
  examples: [
    {
      args: [f32(1, 2, 2, 3, 4)],
      attrs: { scale_d: 2, scale_h: 1, scale_w: 1.5 },
      result: f32(1, 2, 4, 3, 6),
    },
    {
      args: [f32(1, 2, 3, 4, 1)],
      attrs: {
        scale_d: 2,
        scale_h: 2,
        scale_w: 2,
        layout: 'NDHWC',
        method: 'trilinear',
        coordinate_transformation_mode: 'align_corners',
      },
      result: f32(1, 4, 6, 8, 1),
    },
  ],
});

interface Given {
  readonly layout: string;
  readonly method: keyof typeof METHODS;
  readonly coordinate_transformation_mode: CoordinateMode;
}

const optionsOf = (attrs: Given): ResizeOptions => ({
  method: METHODS[attrs.method],
  coordinates: attrs.coordinate_transformation_mode,
  rounding: 'round',
  cubicAlpha: -0.5,
  cubicExclude: false,
  extrapolation: 0,
});
