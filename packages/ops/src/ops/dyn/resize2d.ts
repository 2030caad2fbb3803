import { anyDim } from '@baton/ir';
import { attrs } from '../../attrs/schema.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32s, i64s } from '../../example-types.ts';
import { dynamic } from '../../families/dynamic.ts';
import { interpolates } from '../../families/interpolation.ts';
import { resizedType, resizeProps } from '../../families/resize.ts';
import { resize2d } from '../image/resize2d.ts';

const openSizes = () => [anyDim, anyDim];

const { size: _size, roi: _roi, ...props } = resizeProps(2);

export const dynResize2d = defineOp({
  name: 'dyn.image.resize2d',
  doc: 'Images at the size in a vector: by nearest-neighbour, linear or cubic interpolation.',
  ...dynamic({
    of: resize2d,
    inputs: ['data', 'size', 'roi'],
    operands: { size: 'ints', roi: 'floats' },
    attrs: attrs(props),
    open: ([data], { layout, out_dtype: dtype }, context) =>
      data && resizedType([data.type], layout, 2, context, dtype || undefined, openSizes),
    examples: [
      {
        args: [f32(2, 3, 5, 4), i64s(10, 3), f32s(0, 0, 1, 1)],
        result: f32(2, 3, 10, 3),
      },
    ],
  }),
  cost: perResultElement,
  ...interpolates,
  fusion: 'opaque',
});
