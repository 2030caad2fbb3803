/** Operators that enlarge images by scales. */
import { bool, oneOf, text } from '../attrs/codecs.ts';
import { withDefault } from '../attrs/schema.ts';

export const upsamplingProps = {
  layout: withDefault(text, 'NCHW'),
  method: withDefault(oneOf('nearest_neighbor', 'bilinear', 'bicubic'), 'nearest_neighbor'),
  align_corners: withDefault(bool, false),
} as const;

export const upsampling3dProps = {
  layout: withDefault(text, 'NCDHW'),
  method: withDefault(oneOf('nearest_neighbor', 'trilinear'), 'nearest_neighbor'),
  coordinate_transformation_mode: withDefault(
    oneOf('half_pixel', 'align_corners', 'asymmetric'),
    'half_pixel',
  ),
} as const;
