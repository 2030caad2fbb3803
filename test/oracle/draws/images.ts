/** Images: resizing and sampling. */
import type { CaseDraw, CaseDraws } from '../case.ts';
import type { Draw } from '../draw.ts';

/** Other runtimes compute positions in single precision, and weigh neighbours by them. */
const ULPS = 256;
const SCALE = 8;

const METHODS = { nearest: 'nearest_neighbor', linear: 'linear', cubic: 'cubic' } as const;

/**
 * A resize. If the nearest element counts, positions are exact: sizes are powers of two, or one more
 * if corners are aligned.
 */
const resizing =
  (spatial: number, modes: ReadonlyArray<keyof typeof METHODS>): CaseDraw =>
  (d) => {
    const mode = d.pick(modes);
    const coordinates = d.pick([
      'half_pixel',
      'align_corners',
      'asymmetric',
      'pytorch_half_pixel',
      ...(mode === 'nearest' && spatial === 2 ? ['tf_half_pixel_for_nn'] : []),
    ]);
    const exact = coordinates === 'align_corners' ? [2, 3, 5] : [1, 2, 4, 8];
    const sizes = mode === 'nearest' ? exact : [1, 2, 3, 4, 5, 7];
    const image = Array.from({ length: spatial }, () => d.pick(sizes));
    const isMoved = coordinates === 'tf_half_pixel_for_nn';
    const rounding = d.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']);
    const size = image.map((from) => (isMoved ? otherThan(d, from, sizes) : d.pick(sizes)));
    const attrs = {
      size,
      method: METHODS[mode],
      coordinate_transformation_mode: coordinates,
      rounding_method: rounding,
    };
    const x = d.tensor([d.int(1, 2), d.int(1, 2), ...image], 'float32');
    return { args: [x], attrs, ulps: mode === 'nearest' ? 0 : ULPS, scale: SCALE };
  };

/** Onnxruntime copies an axis of unchanged size, even if the positions move. */
const otherThan = (d: Draw, size: number, sizes: ReadonlyArray<number>): number =>
  d.pick(sizes.filter((other) => other !== size));

/** Images: resizing and sampling. */
export const images: CaseDraws = {
  'image.resize1d': resizing(1, ['nearest', 'linear']),
  'image.resize2d': (d) => {
    if (d.chance(0.8)) return resizing(2, ['nearest', 'linear', 'cubic'])(d);
    const [n, c] = [d.int(1, 2), d.int(1, 2)];
    const image = [d.int(2, 5), d.int(2, 5)];
    const size = image.map((from) => otherThan(d, from, [1, 2, 3, 4, 5]));
    const x = d.tensor([n, c, ...image], 'float32');
    const starts = [d.int(0, 3) / 8, d.int(-1, 3) / 8];
    const ends = [d.int(4, 9) / 8, d.int(4, 8) / 8];
    const attrs = {
      size,
      roi: [...starts, ...ends],
      coordinate_transformation_mode: 'tf_crop_and_resize',
      extrapolation_value: 3,
    };
    return { args: [x], attrs, ulps: ULPS, scale: SCALE };
  },
  'image.resize3d': resizing(3, ['nearest', 'linear']),
  'nn.upsampling': (d) => {
    const method = d.pick(['nearest_neighbor', 'bilinear', 'bicubic'] as const);
    const isNearest = method === 'nearest_neighbor';
    const aligned = !isNearest && d.chance(0.5);
    const [n, c] = [d.int(1, 2), d.int(1, 2)];
    const image = [d.int(1, 4), d.int(1, 4)];
    const attrs = {
      scale_h: d.int(1, 3),
      scale_w: d.int(1, 3),
      method,
      align_corners: aligned,
    };
    const x = d.tensor([n, c, ...image], 'float32');
    return { args: [x], attrs, ulps: isNearest ? 0 : ULPS, scale: SCALE };
  },
  'image.grid_sample': (d) => {
    const method = d.pick(['bilinear', 'nearest', 'bicubic']);
    const padding = d.pick(['zeros', 'border', 'reflection']);
    const aligned = d.chance(0.5);
    const n = d.int(1, 2);
    const x = d.tensor([n, d.int(1, 2), d.int(2, 5), d.int(2, 5)], 'float32');
    const grid = d.reals([n, 2, d.int(1, 3), d.int(1, 3)], 'float32', -1.4, 1.4);
    const attrs = { method, padding_mode: padding, align_corners: aligned };
    return { args: [x, grid], attrs, ulps: ULPS, scale: SCALE };
  },
  'image.affine_grid': (d) => {
    const [n, h, w] = [d.int(1, 2), d.int(2, 5), d.int(2, 5)];
    const x = d.tensor([n, 2, 3], 'float32');
    return { args: [x], attrs: { target_shape: [h, w] }, ulps: 16, scale: SCALE };
  },
};
