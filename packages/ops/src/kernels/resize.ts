/** Resizing of images. */
import { full, heap, type Memory, type Shape, shapeSize, type Tensor } from '@baton/tensor';
import { alongAxis } from './axis.ts';
import { forEachIndex } from './index-map.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

export type ResizeMethod = 'nearest_neighbor' | 'linear' | 'cubic';

export type CoordinateMode =
  | 'half_pixel'
  | 'align_corners'
  | 'asymmetric'
  | 'pytorch_half_pixel'
  | 'tf_half_pixel_for_nn'
  | 'tf_crop_and_resize';

export type RoundingMethod =
  | 'round'
  | 'floor'
  | 'ceil'
  | 'round_prefer_floor'
  | 'round_prefer_ceil';

export interface ResizeOptions {
  readonly method: ResizeMethod;
  readonly coordinates: CoordinateMode;
  readonly rounding: RoundingMethod;
  readonly cubicAlpha: number;
  /** Whether elements outside have no weight; otherwise the edge replaces them. */
  readonly cubicExclude: boolean;
  readonly extrapolation: number;
}

/** One resized axis. `roi` is the part of the axis that is cropped, from 0 to 1. */
export interface ResizedAxis {
  readonly axis: number;
  readonly size: number;
  readonly roi?: readonly [number, number];
}

export interface ResizeTaps {
  readonly places: ReadonlyArray<number>;
  readonly weights: ReadonlyArray<number>;
  readonly isOutside: boolean;
}

/**
 * The data with some axes resized, one after another, in double precision.
 *
 * **Complexity** for each axis, its taps (1, 2 or 4) times the elements after it.
 */
export function resize(
  x: Tensor,
  axes: ReadonlyArray<ResizedAxis>,
  options: ResizeOptions,
  memory: Memory = heap,
): Tensor {
  const taps = axes.map(({ axis, size, roi }) =>
    resizeTaps(x.shape[axis] as number, size, roi ?? [0, 1], options),
  );
  let shape: Shape = x.shape;
  let data = loadNumbers(x, memory) as ArrayLike<number>;
  axes.forEach(({ axis, size }, i) => {
    data = resizeAxis(data, shape, axis, taps[i] ?? [], memory);
    shape = shape.map((dim, at) => (at === axis ? size : dim));
  });
  const out = numberBuffer(x.dtype, shapeSize(shape), memory);
  const isWhole = !(out instanceof Float32Array || out instanceof Float64Array);
  for (let i = 0; i < out.length; i++) {
    const value = data[i] as number;
    out[i] = isWhole ? saturated(Math.round(value), out) : value;
  }
  if (taps.some((list) => list.some((tap) => tap.isOutside))) {
    const value = full([1], x.dtype, options.extrapolation);
    const outside = loadNumbers(value, memory)[0] as number;
    forEachIndex(shape, (index, place) => {
      const isOutside = axes.some(({ axis }, i) => taps[i]?.[index[axis] as number]?.isOutside);
      if (isOutside) out[place] = outside;
    });
  }
  return finish(out, shape, x.dtype, memory);
}

/** Clamps 8-bit values of an image; wider integers need no limit. */
function saturated(value: number, out: object): number {
  if (out instanceof Uint8Array) return Math.min(Math.max(value, 0), 255);
  return out instanceof Int8Array ? Math.min(Math.max(value, -128), 127) : value;
}

function resizeAxis(
  data: ArrayLike<number>,
  shape: Shape,
  axis: number,
  taps: ReadonlyArray<ResizeTaps>,
  memory: Memory,
): Float64Array {
  const { length, step, forEach } = alongAxis(shape, axis);
  const rows = length === 0 ? 0 : data.length / length;
  const out = memory.take('float64', rows * taps.length);
  forEach((start) => {
    const inner = start % step;
    const first = ((start - inner) / length) * taps.length + inner;
    taps.forEach(({ places, weights }, i) => {
      const tap = (k: number): number =>
        (weights[k] as number) * (data[start + (places[k] as number) * step] as number);
      let sum = tap(0);
      for (let k = 1; k < places.length; k++) sum += tap(k);
      out[first + i * step] = sum;
    });
  });
  return out;
}

/** The taps of each of `to` indices, on an axis of `from` elements. */
export function resizeTaps(
  from: number,
  to: number,
  roi: readonly [number, number],
  options: ResizeOptions,
): ReadonlyArray<ResizeTaps> {
  const clamp = (place: number): number => Math.min(Math.max(place, 0), from - 1);
  return Array.from({ length: to }, (_, i) => {
    const at = coordinate(i, from, to, roi, options.coordinates);
    const isCrop = options.coordinates === 'tf_crop_and_resize';
    const isOutside = isCrop && (at < 0 || at > from - 1);
    if (options.method === 'nearest_neighbor') {
      return { places: [clamp(rounded(at, options.rounding))], weights: [1], isOutside };
    }
    const low = Math.floor(at);
    const rest = at - low;
    if (options.method === 'linear') {
      return { places: [clamp(low), clamp(low + 1)], weights: [1 - rest, rest], isOutside };
    }
    const near = [low - 1, low, low + 1, low + 2];
    const weights = cubicWeights(rest, options.cubicAlpha).map((weight, k) => {
      const place = near[k] as number;
      return options.cubicExclude && (place < 0 || place >= from) ? 0 : weight;
    });
    const total = weights.reduce((a, b) => a + b, 0);
    const shares = options.cubicExclude ? weights.map((weight) => weight / total) : weights;
    return { places: near.map(clamp), weights: shares, isOutside };
  });
}

function coordinate(
  i: number,
  from: number,
  to: number,
  [start, end]: readonly [number, number],
  mode: CoordinateMode,
): number {
  switch (mode) {
    case 'half_pixel':
      return ((i + 0.5) * from) / to - 0.5;
    case 'align_corners':
      return to === 1 ? 0 : (i * (from - 1)) / (to - 1);
    case 'asymmetric':
      return (i * from) / to;
    case 'pytorch_half_pixel':
      return to === 1 ? 0 : ((i + 0.5) * from) / to - 0.5;
    case 'tf_half_pixel_for_nn':
      return ((i + 0.5) * from) / to;
    case 'tf_crop_and_resize':
      if (to === 1) return 0.5 * (start + end) * (from - 1);
      return start * (from - 1) + (i * (end - start) * (from - 1)) / (to - 1);
  }
}

function rounded(at: number, method: RoundingMethod): number {
  // Coordinates that are integers up to rounding errors count as integers.
  const epsilon = 1e-5;
  switch (method) {
    case 'round':
    case 'round_prefer_ceil':
      return Math.floor(at + 0.5);
    case 'round_prefer_floor':
      return Math.ceil(at - 0.5);
    case 'floor':
      return Math.floor(at + epsilon);
    case 'ceil':
      return Math.ceil(at - epsilon);
  }
}

/** The weights of the two elements before a coordinate and the two after it (Keys, 1981). */
function cubicWeights(t: number, a: number): ReadonlyArray<number> {
  const near = (d: number): number => ((a + 2) * d - (a + 3)) * d * d + 1;
  const far = (d: number): number => ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return [far(1 + t), near(t), near(1 - t), far(2 - t)];
}
