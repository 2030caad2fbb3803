/** Regions of images. */
import { fromNumbers, type Tensor } from '@baton/tensor';
import type { CaseDraws } from '../case.ts';
import type { Draw } from '../draw.ts';

/** The number of an image, and two corners on half positions, of which the second is greater. */
function region(d: Draw, images: number): ReadonlyArray<number> {
  const [x, y] = [d.int(0, 6) / 2, d.int(0, 6) / 2];
  return [d.int(0, images - 1), x, y, x + d.int(1, 8) / 2, y + d.int(1, 8) / 2];
}

/** Images, and a row for each region. */
function drawn(d: Draw): ReadonlyArray<Tensor> {
  const images = d.int(1, 2);
  const x = d.tensor([images, d.int(1, 3), d.int(3, 8), d.int(3, 8)], 'float32');
  const rows = Array.from({ length: d.int(1, 4) }, () => region(d, images));
  return [x, fromNumbers(rows.flat(), [rows.length, rows[0]?.length ?? 0], 'float32')];
}

/** The operators on regions. */
export const regions: CaseDraws = {
  'vision.roi_align': (d) => {
    const args = drawn(d);
    const pooled_size = [d.int(1, 3), d.int(1, 3)];
    const attrs = { pooled_size, spatial_scale: d.pick([0.5, 1]), sample_ratio: d.int(0, 3) };
    return { args, attrs, ulps: 256, scale: 8 };
  },
  'vision.roi_pool': (d) => {
    const args = drawn(d);
    return {
      args,
      attrs: { pooled_size: [d.int(1, 3), d.int(1, 3)], spatial_scale: d.pick([0.5, 1]) },
    };
  },
};
