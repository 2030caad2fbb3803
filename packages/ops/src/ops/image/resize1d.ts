import { f32, i32 } from '../../example-types.ts';
import { resizing } from '../../families/resize.ts';

export const resize1d = resizing({
  name: 'image.resize1d',
  rank: 1,
  examples: [
    { args: [f32(2, 3, 5)], attrs: { size: 10 }, result: f32(2, 3, 10) },
    {
      args: [i32(1, 5, 2)],
      attrs: { size: [3], layout: 'NWC', method: 'nearest_neighbor' },
      result: i32(1, 3, 2),
    },
  ],
});
