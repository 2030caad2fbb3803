/** Samples images at the coordinates of a grid. */
import {
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { NODES } from '../scalar/nodes.ts';
import { forEachIndex } from './index-map.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

export interface SampleOptions {
  readonly method: 'nearest' | 'bilinear' | 'bicubic';
  readonly padding: 'zeros' | 'border' | 'reflection';
  /** Whether −1 and 1 are the centres of the outermost pixels, or their outer edges. */
  readonly alignCorners: boolean;
}

/** Indices along one axis, with their weights. */
type Taps = ReadonlyArray<readonly [place: number, weight: number]>;

/**
 * The images sampled at a grid of coordinates, which are from −1 to 1, the last axis first.
 *
 * **Shapes** x (n, c, s1…sm), grid (n, m, out…), result (n, c, out…); m is 2 or 3.
 */
export function gridSample(
  x: Tensor,
  grid: Tensor,
  shape: Shape,
  options: SampleOptions,
  memory: Memory = heap,
): Tensor {
  const [data, coordinates] = [loadNumbers(x, memory), loadNumbers(grid, memory)];
  const spatial = x.shape.slice(2);
  const strides = rowMajorStrides(spatial);
  const [batch = 0, channels = 0] = x.shape;
  const image = shapeSize(spatial);
  const places = shape.slice(2);
  const count = shapeSize(places);
  const out = numberBuffer(x.dtype, shapeSize(shape), memory);
  for (let n = 0; n < batch; n++) {
    for (let p = 0; p < count; p++) {
      let taps: Taps = [[0, 1]];
      spatial.forEach((dim, axis) => {
        // The first coordinate belongs to the last axis.
        const row = n * spatial.length + (spatial.length - 1 - axis);
        const own = tapsOf(coordinates[row * count + p] as number, dim, options);
        const step = strides[axis] as number;
        taps = taps.flatMap(([at, weight]) =>
          own.map(([place, part]) => [at + place * step, weight * part] as const),
        );
      });
      for (let c = 0; c < channels; c++) {
        const start = (n * channels + c) * image;
        let sum = 0;
        for (const [at, weight] of taps) sum += (data[start + at] as number) * weight;
        out[(n * channels + c) * count + p] = sum;
      }
    }
  }
  return finish(out, shape, x.dtype, memory);
}

/**
 * The grid of an affine map of an image's pixels.
 *
 * **Shapes** maps (n, 2, 3), result (n, 2, h, w): x, then y.
 */
export function affineGrid(maps: Tensor, shape: Shape, memory: Memory = heap): Tensor {
  const data = loadNumbers(maps, memory);
  const [, , height = 1, width = 1] = shape;
  const out = numberBuffer(maps.dtype, shapeSize(shape), memory);
  const spread = (i: number, size: number): number => (size === 1 ? -1 : (2 * i) / (size - 1) - 1);
  forEachIndex(shape, ([n = 0, row = 0, i = 0, j = 0], place) => {
    const at = (n * 2 + row) * 3;
    const [a, b, c] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
    out[place] = a * spread(j, width) + b * spread(i, height) + c;
  });
  return finish(out, shape, maps.dtype, memory);
}

function tapsOf(coordinate: number, dim: number, options: SampleOptions): Taps {
  const { method, padding, alignCorners } = options;
  const exact = alignCorners
    ? ((coordinate + 1) / 2) * (dim - 1)
    : ((coordinate + 1) * dim - 1) / 2;
  const whole = method === 'nearest' ? NODES.rint.float.apply(exact) : exact;
  const at = placeIn(whole, dim, options);
  // A coordinate that is NaN or infinite is outside.
  if (!Number.isFinite(at)) return [];
  const low = Math.floor(at);
  const rest = at - low;
  const taps: Taps =
    method === 'nearest'
      ? [[low, 1]]
      : method === 'bilinear'
        ? [
            [low, 1 - rest],
            [low + 1, rest],
          ]
        : [low - 1, low, low + 1, low + 2].map((place) => [place, cubic(Math.abs(at - place))]);
  const isWithin = (place: number): boolean => place >= 0 && place < dim;
  if (padding === 'zeros') return taps.filter(([place]) => isWithin(place));
  return taps.map(([place, weight]) => [
    isWithin(place) ? place : Math.round(inside(place, dim, padding, alignCorners)),
    weight,
  ]);
}

function placeIn(at: number, dim: number, options: SampleOptions): number {
  const { padding, alignCorners } = options;
  if (padding === 'zeros') return at;
  if (padding === 'reflection') return inside(at, dim, padding, alignCorners);
  // Clamps each neighbour, not the coordinate; far outside, all neighbours are the edge.
  return Math.min(Math.max(at, -REACH), dim - 1 + REACH);
}

/** Beyond this distance outside, no neighbour is inside. */
const REACH = 3;

/** An index within the axis: clamped, or reflected at the ends. */
function inside(
  at: number,
  dim: number,
  padding: 'border' | 'reflection',
  alignCorners: boolean,
): number {
  if (padding === 'border') return Math.min(Math.max(at, 0), dim - 1);
  const [low, high] = alignCorners ? [0, dim - 1] : [-0.5, dim - 0.5];
  const span = high - low;
  if (span === 0) return 0;
  const period = 2 * span;
  const past = (((at - low) % period) + period) % period;
  return low + (past > span ? period - past : past);
}

/** The cubic weight of a pixel at a distance below 2 (Keys, a = −0.75). */
function cubic(d: number): number {
  const a = -0.75;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}
