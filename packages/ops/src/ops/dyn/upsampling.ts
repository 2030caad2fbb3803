import { anyDim } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { attrs } from '../../attrs/schema.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s } from '../../example-types.ts';
import { dynamic } from '../../families/dynamic.ts';
import { interpolates } from '../../families/interpolation.ts';
import { resizedType } from '../../families/resize.ts';
import { upsamplingProps } from '../../families/upsampling.ts';
import { upsampling } from '../nn/upsampling.ts';

export const dynUpsampling = defineOp({
  name: 'dyn.nn.upsampling',
  doc: 'The images scaled in height and width by two scalars.',
  ...dynamic({
    of: upsampling,
    inputs: ['data', 'scale_h', 'scale_w'],
    operands: { scale_h: 'float', scale_w: 'float' },
    attrs: attrs(upsamplingProps),
    open: ([data], { layout }, context) =>
      data && resizedType([data.type], layout, 2, context, undefined, () => [anyDim, anyDim]),
    examples: [
      {
        args: [f32(1, 2, 3, 4), scalar(2, 'float32'), scalar(1.5, 'float32')],
        result: f32(1, 2, 6, 6),
      },
      {
        args: [f32(1, 3, 4, 2), f32s(2), f32s(2)],
        attrs: { layout: 'NHWC', method: 'bilinear', align_corners: true },
        result: f32(1, 6, 8, 2),
      },
    ],
  }),
  cost: perResultElement,
  ...interpolates,
  fusion: 'opaque',
});
