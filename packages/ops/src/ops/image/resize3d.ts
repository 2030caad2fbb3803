import { f32 } from '../../example-types.ts';
import { resizing } from '../../families/resize.ts';

export const resize3d = resizing({
  name: 'image.resize3d',
  rank: 3,
  examples: [
    { args: [f32(1, 2, 3, 4, 5)], attrs: { size: [2, 6, 5] }, result: f32(1, 2, 2, 6, 5) },
    {
      args: [f32(1, 2, 3, 4, 5)],
      attrs: {
        size: [2, 2, 2],
        coordinate_transformation_mode: 'tf_crop_and_resize',
        roi: [0, 0, 0, 1, 0.5, 2],
      },
      result: f32(1, 2, 2, 2, 2),
    },
  ],
});
