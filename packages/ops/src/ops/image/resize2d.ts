import { f32, f64 } from '../../example-types.ts';
import { resizing } from '../../families/resize.ts';

export const resize2d = resizing({
  name: 'image.resize2d',
  rank: 2,
  examples: [
    { args: [f32(2, 3, 5, 4)], attrs: { size: [10, 3] }, result: f32(2, 3, 10, 3) },
    {
      args: [f32(1, 3, 3, 2)],
      attrs: { size: 5, layout: 'NHWC', method: 'cubic', out_dtype: 'float64' },
      result: f64(1, 5, 5, 2),
    },
  ],
});
