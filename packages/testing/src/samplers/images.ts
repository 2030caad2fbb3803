/** Samplers of pools, pads and other operators on images. */
import type { Attrs } from '@baton/ir';
import type { PoolPattern, SizePattern } from '@baton/ops';
import type { Builder } from '../generate/builder.ts';
import type { TensorValue } from '../generate/value.ts';
import { imageLayout, isImage, someChannelAxis, someImage, spatialDims } from './contractions.ts';
import type { Sampler, Samplers } from './sampler.ts';

export function pool(
  b: Builder,
  x: TensorValue,
  channelAxis: number,
  kind: 'max' | 'avg',
): TensorValue {
  const { random } = b;
  const rank = x.shape.length;
  const layout = imageLayout(rank, channelAxis);
  const sizes = spatialDims(x.shape, layout).map((dim) => Math.min(dim, random.pick([1, 2, 3])));
  // With a pad of one in each of 3 dimensions, no window holds only padding.
  const padding = sizes.map((size) => (size > 1 && random.chance(0.3) ? 1 : 0));
  const attrs: Attrs = {
    pool_size: sizes,
    strides: sizes.map(() => (random.chance(0.3) ? 2 : 1)),
    padding,
    layout,
    // A last window of padding alone has a mean, but no maximum.
    ceil_mode: random.chance(0.1) && (kind === 'avg' || padding.every((pad) => pad === 0)),
    ...(kind === 'avg' ? { count_include_pad: random.chance(0.4) } : {}),
  };
  return b.tensor(`nn.${kind}_pool${rank - 2}d`, [x], attrs);
}

export const pooling =
  (pattern: PoolPattern): Sampler =>
  (b) => {
    const rank = pattern.rank + 2;
    const x = someImage(b, [rank, rank]);
    return pool(b, x, someChannelAxis(b, rank), pattern.of);
  };

const globalPool: Sampler = (b, op) => {
  const x = someImage(b, [4, 4]);
  return b.call(op.name, [x], { layout: imageLayout(4, someChannelAxis(b, 4)) });
};

export const adaptivePool =
  (pattern: SizePattern): Sampler =>
  (b, op) => {
    const rank = pattern.rank + 2;
    const x = someImage(b, [rank, rank]);
    const layout = imageLayout(rank, someChannelAxis(b, rank));
    const size = spatialDims(x.shape, layout).map((dim) => b.random.int(1, dim));
    return b.call(op.name, [x], { output_size: size, layout });
  };

const pad: Sampler = (b, op) => {
  const x = b.operand({ rank: [1, 5], fits: (shape) => !shape.includes(0) });
  const mode = b.random.weighted([
    [6, 'constant'],
    [1, 'edge'],
    [1, 'reflect'],
  ] as const);
  const widths = x.shape.map((dim) => {
    const most = b.random.chance(0.5) ? (mode === 'reflect' ? Math.min(1, dim - 1) : 1) : 0;
    return [b.random.int(0, most), b.random.int(0, most)];
  });
  const value = b.constant([b.random.pick([0, 0, 1, -0.5])], [], x.dtype);
  return b.call(op.name, [x, value], { pad_width: widths, pad_mode: mode });
};

const mirrorPad: Sampler = (b, op) => {
  const x = b.operand({ rank: [1, 4], fits: (shape) => shape.every((dim) => dim > 1) });
  const widths = x.shape.map(() => [b.random.int(0, 1), b.random.int(0, 1)]);
  return b.call(op.name, [x], { pad_width: widths, mode: b.random.pick(['SYMMETRIC', 'REFLECT']) });
};

const upsampling: Sampler = (b, op) => {
  const x = someImage(b, [4, 4]);
  return b.call(op.name, [x], {
    scale_h: b.random.pick([1, 2, 1.5]),
    scale_w: b.random.pick([1, 2]),
    layout: imageLayout(4, someChannelAxis(b, 4)),
    method: b.random.pick(['nearest_neighbor', 'bilinear']),
  });
};

/** Another size, by one of the methods; optional attributes are left out. */
export const resize =
  (pattern: SizePattern): Sampler =>
  (b, op) => {
    const { random } = b;
    const rank = pattern.rank + 2;
    const x = someImage(b, [rank, rank]);
    const layout = imageLayout(rank, someChannelAxis(b, rank));
    const size = spatialDims(x.shape, layout).map((dim) => Math.max(1, dim + random.int(-1, 2)));
    const methods = rank === 4 ? ['linear', 'nearest_neighbor', 'cubic'] : ['linear'];
    const modes = ['half_pixel', 'align_corners', 'asymmetric'];
    return b.call(op.name, [x], {
      size,
      layout,
      method: random.pick(methods),
      coordinate_transformation_mode: random.pick(modes),
    });
  };

/** Blocks of space into channels, and back. */
const movedBlocks =
  (isBack: boolean): Sampler =>
  (b, op) => {
    const fits = (s: ReadonlyArray<number>): boolean =>
      isImage(s) &&
      (isBack ? (s[1] ?? 0) % 4 === 0 : (s[2] ?? 1) % 2 === 0 && (s[3] ?? 1) % 2 === 0);
    const x = b.operand({
      rank: [4, 4],
      fits,
      fresh: () => (isBack ? [1, 4, 3, 5] : [1, 3, 4, 2]),
    });
    return b.call(op.name, [x], { block_size: 2, mode: b.random.pick(['DCR', 'CRD']) });
  };

export const imageSamplers: Samplers = {
  'nn.global_avg_pool2d': globalPool,
  'nn.pad': pad,
  'nn.mirror_pad': mirrorPad,
  'nn.upsampling': upsampling,
  'nn.space_to_depth': movedBlocks(false),
  'nn.depth_to_space': movedBlocks(true),
};
