/** Regions of images. */
import { cast, fromNumbers, type Tensor } from '@baton/tensor';
import type { Draw } from '../draw.ts';
import type { Mappings } from '../mapping.ts';

/** The number of an image, and two corners on half places, of which the second is greater. */
function region(d: Draw, images: number): ReadonlyArray<number> {
  const [x, y] = [d.int(0, 6) / 2, d.int(0, 6) / 2];
  return [d.int(0, images - 1), x, y, x + d.int(1, 8) / 2, y + d.int(1, 8) / 2];
}

function drawn(d: Draw): { readonly x: Tensor; readonly rows: ReadonlyArray<readonly number[]> } {
  const images = d.int(1, 2);
  const x = d.tensor([images, d.int(1, 3), d.int(3, 8), d.int(3, 8)], 'float32');
  return { x, rows: Array.from({ length: d.int(1, 4) }, () => [...region(d, images)]) };
}

const matrix = (rows: ReadonlyArray<readonly number[]>): Tensor =>
  fromNumbers(rows.flat(), [rows.length, rows[0]?.length ?? 0], 'float32');

/** The operators on regions. */
export const regions: Mappings = {
  'vision.roi_align': (d, g) => {
    const { x, rows } = drawn(d);
    const [height, width] = [d.int(1, 3), d.int(1, 3)];
    const scale = d.pick([0.5, 1]);
    const ratio = d.int(0, 3);
    const images = cast(
      fromNumbers(
        rows.map((row) => row[0] ?? 0),
        [rows.length],
        'float32',
      ),
      'int64',
    );
    const corners = matrix(rows.map((row) => row.slice(1)));
    const result = g.node('RoiAlign', [g.input(x), g.input(corners), g.input(images)], {
      coordinate_transformation_mode: 'output_half_pixel',
      output_height: height,
      output_width: width,
      sampling_ratio: ratio,
      spatial_scale: { float: scale },
    });
    const attrs = { pooled_size: [height, width], spatial_scale: scale, sample_ratio: ratio };
    return { args: [x, matrix(rows)], attrs, result, ulps: 256, scale: 8 };
  },
  'vision.roi_pool': (d, g) => {
    const { x, rows } = drawn(d);
    const pooled = [d.int(1, 3), d.int(1, 3)];
    const scale = d.pick([0.5, 1]);
    const given = matrix(rows);
    const result = g.node('MaxRoiPool', [g.input(x), g.input(given)], {
      pooled_shape: pooled,
      spatial_scale: { float: scale },
    });
    return { args: [x, given], attrs: { pooled_size: pooled, spatial_scale: scale }, result };
  },
};
