import { anyDim } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { attrs } from '../../attrs/schema.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { dynamic } from '../../families/dynamic.ts';
import { interpolates } from '../../families/interpolation.ts';
import { resizedType } from '../../families/resize.ts';
import { upsampling3dProps } from '../../families/upsampling.ts';
import { upsampling3d } from '../nn/upsampling3d.ts';

export const dynUpsampling3d = defineOp({
  name: 'dyn.nn.upsampling3d',
  doc: 'The volumes scaled in depth, height and width by three scalars.',
  ...dynamic({
    of: upsampling3d,
    inputs: ['data', 'scale_d', 'scale_h', 'scale_w'],
    operands: { scale_d: 'float', scale_h: 'float', scale_w: 'float' },
    attrs: attrs(upsampling3dProps),
    open: ([data], { layout }, context) =>
      data &&
      resizedType([data.type], layout, 3, context, undefined, () => [anyDim, anyDim, anyDim]),
    examples: [
      {
        args: [
          f32(1, 2, 2, 3, 4),
          scalar(2, 'float32'),
          scalar(1, 'float32'),
          scalar(1.5, 'float32'),
        ],
        result: f32(1, 2, 4, 3, 6),
      },
    ],
  }),
  cost: perResultElement,
  ...interpolates,
  fusion: 'opaque',
});
