/** Images: resizing and sampling. */
import { tensor } from '@baton/tensor';
import type { Draw } from '../draw.ts';
import type { Mapping, Mappings } from '../mapping.ts';
import type { OnnxGraph } from '../onnx-graph.ts';

/** Other runtimes compute places in single precision, and weigh neighbours by them. */
const ULPS = 256;
const SCALE = 8;

interface Resize {
  readonly mode: 'nearest' | 'linear' | 'cubic';
  readonly coordinates: string;
  readonly rounding: string;
  readonly image: ReadonlyArray<number>;
  readonly size: ReadonlyArray<number>;
}

const METHODS = { nearest: 'nearest_neighbor', linear: 'linear', cubic: 'cubic' } as const;

/**
 * A resize with exact places where the nearest of them counts: sizes are powers of two, or one more
 * if corners are aligned.
 */
function resize(d: Draw, spatial: number, modes: ReadonlyArray<Resize['mode']>): Resize {
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
  return {
    mode,
    coordinates,
    rounding: d.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']),
    image,
    size: image.map((size) => (isMoved ? otherThan(d, size, sizes) : d.pick(sizes))),
  };
}

/** Onnxruntime copies an axis of unchanged size, even if the places move. */
const otherThan = (d: Draw, size: number, sizes: ReadonlyArray<number>): number =>
  d.pick(sizes.filter((other) => other !== size));

const nodeOf = (g: OnnxGraph, x: string, sizes: ReadonlyArray<number>, r: Resize): string =>
  g.node('Resize', [x, '', '', g.ints(sizes)], {
    mode: r.mode,
    coordinate_transformation_mode: r.coordinates,
    nearest_mode: r.rounding,
    cubic_coeff_a: { float: -0.5 },
  });

const resizing =
  (spatial: number, modes: ReadonlyArray<Resize['mode']>): Mapping =>
  (d, g) => {
    const r = resize(d, spatial, modes);
    const [n, c] = [d.int(1, 2), d.int(1, 2)];
    const x = d.tensor([n, c, ...r.image], 'float32');
    const attrs = {
      size: r.size,
      method: METHODS[r.mode],
      coordinate_transformation_mode: r.coordinates,
      rounding_method: r.rounding,
    };
    // Lines are resized as images of one row.
    const isLine = spatial === 1;
    const given = isLine ? g.node('Unsqueeze', [g.input(x), g.ints([2])]) : g.input(x);
    const made = nodeOf(g, given, isLine ? [n, c, 1, ...r.size] : [n, c, ...r.size], r);
    const result = isLine ? g.node('Squeeze', [made, g.ints([2])]) : made;
    return { args: [x], attrs, result, ulps: r.mode === 'nearest' ? 0 : ULPS, scale: SCALE };
  };

/** Images: resizing and sampling. */
export const images: Mappings = {
  'image.resize1d': resizing(1, ['nearest', 'linear']),
  'image.resize2d': (d, g) => {
    if (d.chance(0.8)) return resizing(2, ['nearest', 'linear', 'cubic'])(d, g);
    const [n, c] = [d.int(1, 2), d.int(1, 2)];
    const image = [d.int(2, 5), d.int(2, 5)];
    const size = image.map((from) => otherThan(d, from, [1, 2, 3, 4, 5]));
    const x = d.tensor([n, c, ...image], 'float32');
    const starts = [d.int(0, 3) / 8, d.int(-1, 3) / 8];
    const ends = [d.int(4, 9) / 8, d.int(4, 8) / 8];
    const roi = g.constant(tensor([0, 0, ...starts, 1, 1, ...ends], [8], 'float32'));
    const result = g.node('Resize', [g.input(x), roi, '', g.ints([n, c, ...size])], {
      mode: 'linear',
      coordinate_transformation_mode: 'tf_crop_and_resize',
      extrapolation_value: { float: 3 },
    });
    const attrs = {
      size,
      roi: [...starts, ...ends],
      coordinate_transformation_mode: 'tf_crop_and_resize',
      extrapolation_value: 3,
    };
    return { args: [x], attrs, result, ulps: ULPS, scale: SCALE };
  },
  'image.resize3d': resizing(3, ['nearest', 'linear']),
  'nn.upsampling': (d, g) => {
    const method = d.pick(['nearest_neighbor', 'bilinear', 'bicubic'] as const);
    const mode = ({ nearest_neighbor: 'nearest', bilinear: 'linear', bicubic: 'cubic' } as const)[
      method
    ];
    const aligned = method !== 'nearest_neighbor' && d.chance(0.5);
    const [n, c] = [d.int(1, 2), d.int(1, 2)];
    const image = [d.int(1, 4), d.int(1, 4)];
    const scales = [d.int(1, 3), d.int(1, 3)];
    const x = d.tensor([n, c, ...image], 'float32');
    const sizes = [n, c, ...image.map((size, i) => size * (scales[i] ?? 1))];
    const result = nodeOf(g, g.input(x), sizes, {
      mode,
      coordinates: aligned ? 'align_corners' : 'asymmetric',
      rounding: 'floor',
      image,
      size: sizes.slice(2),
    });
    const attrs = {
      scale_h: scales[0] ?? 1,
      scale_w: scales[1] ?? 1,
      method,
      align_corners: aligned,
    };
    return { args: [x], attrs, result, ulps: mode === 'nearest' ? 0 : ULPS, scale: SCALE };
  },
  'image.grid_sample': (d, g) => {
    const method = d.pick(['bilinear', 'nearest', 'bicubic'] as const);
    const mode = ({ bilinear: 'linear', nearest: 'nearest', bicubic: 'cubic' } as const)[method];
    const padding = d.pick(['zeros', 'border', 'reflection']);
    const aligned = d.chance(0.5);
    const n = d.int(1, 2);
    const x = d.tensor([n, d.int(1, 2), d.int(2, 5), d.int(2, 5)], 'float32');
    const grid = d.reals([n, 2, d.int(1, 3), d.int(1, 3)], 'float32', -1.4, 1.4);
    const places = g.node('Transpose', [g.input(grid)], { perm: [0, 2, 3, 1] });
    const result = g.node('GridSample', [g.input(x), places], {
      mode,
      padding_mode: padding,
      align_corners: Number(aligned),
    });
    const attrs = { method, padding_mode: padding, align_corners: aligned };
    return { args: [x, grid], attrs, result, ulps: ULPS, scale: SCALE };
  },
  'image.affine_grid': (d, g) => {
    const [n, h, w] = [d.int(1, 2), d.int(2, 5), d.int(2, 5)];
    const x = d.tensor([n, 2, 3], 'float32');
    const grid = g.node('AffineGrid', [g.input(x), g.ints([n, 1, h, w])], { align_corners: 1 });
    const result = g.node('Transpose', [grid], { perm: [0, 3, 1, 2] });
    return { args: [x], attrs: { target_shape: [h, w] }, result, ulps: 16, scale: SCALE };
  },
};
