/** Resampling of images whose sizes are known. */

import type { Expr } from '@baton/ir';
import { tensor, toNumbers } from '@baton/tensor';
import type { NodeContext } from '../../operator-api/importer.ts';
import { take, transpose } from '../../shared/words.ts';

type ResampleMode = 'nearest' | 'linear' | 'cubic';

export interface Resampling {
  readonly mode: ResampleMode;
  readonly coordinates: string;
  readonly nearestMode: string;
  readonly cubicA: number;
  readonly excludeOutside: boolean;
  readonly antialias: boolean;
}

/** One resized axis: `scale` is the wanted factor, `to` is a whole number. */
export interface ResampledAxis {
  readonly axis: number;
  readonly from: number;
  readonly to: number;
  readonly scale: number;
}

/**
 * Row i holds the share of each place of the axis in place i of the result: `to` × `from`.
 *
 * **Source** ONNX Resize-19, reference implementation.
 */
function resampleWeights(axis: ResampledAxis, how: Resampling): Float64Array {
  const { from, to } = axis;
  const weights = new Float64Array(to * from);
  for (let i = 0; i < to; i++) {
    const at = sourceOf(i, axis, how);
    // A whole place is the end of the step before it.
    const base = Math.ceil(at) - 1;
    const { start, shares } = coefficients(at - base, axis.scale, how);
    const places = shares.map((_, k) => base + start + k);
    const kept = shares.map((share, k) => {
      const place = places[k] ?? 0;
      return how.excludeOutside && (place < 0 || place >= from) ? 0 : share;
    });
    const total = how.excludeOutside ? kept.reduce((a, b) => a + b, 0) : 1;
    kept.forEach((share, k) => {
      const place = Math.min(Math.max(places[k] ?? 0, 0), from - 1);
      const cell = i * from + place;
      weights[cell] = (weights[cell] ?? 0) + share / total;
    });
  }
  return weights;
}

/**
 * The place of result `i` in the axis. Where the nearest place is taken, each step rounds to float32,
 * the type of scales: 1.5 / 0.6 is 2.5 there, and less in doubles.
 */
function sourceOf(i: number, { from, to, scale }: ResampledAxis, how: Resampling): number {
  const round = how.mode === 'nearest' ? Math.fround : (x: number): number => x;
  const width = round(scale * from);
  const end = round((i + 0.5) / scale);
  const middle = round(end - 0.5);
  switch (how.coordinates) {
    case 'align_corners':
      return width === 1 ? 0 : round(round(i * (from - 1)) / round(width - 1));
    case 'asymmetric':
      return round(i / scale);
    case 'tf_half_pixel_for_nn':
      return end;
    case 'pytorch_half_pixel':
      return to > 1 ? middle : 0;
    case 'half_pixel_symmetric':
      return round(round(round((from / 2) * round(1 - round(to / width))) + end) - 0.5);
    default:
      return middle;
  }
}

/** Shares of the places from `start` on, counted from the place before; `rest` is in (0, 1]. */
function coefficients(
  rest: number,
  scale: number,
  how: Resampling,
): { readonly start: number; readonly shares: ReadonlyArray<number> } {
  if (how.mode === 'nearest') {
    const isNext = rest === 1 || roundsUp(rest, how.nearestMode);
    return { start: 0, shares: isNext ? [0, 1] : [1, 0] };
  }
  const radius = how.mode === 'linear' ? 1 : 2;
  // To avoid aliasing the kernel is as wide as the steps.
  const shrink = how.antialias ? Math.min(scale, 1) : 1;
  const start = Math.floor(-radius / shrink) + 1;
  const shape = how.mode === 'linear' ? triangle : (x: number) => cubic(x, how.cubicA);
  const shares = Array.from({ length: 2 - 2 * start }, (_, k) =>
    shape(Math.abs((start + k - rest) * shrink)),
  );
  const total = how.antialias ? shares.reduce((a, b) => a + b, 0) : 1;
  return { start, shares: shares.map((share) => share / total) };
}

function roundsUp(rest: number, mode: string): boolean {
  switch (mode) {
    case 'floor':
      return false;
    case 'ceil':
      return true;
    case 'round_prefer_ceil':
      return rest >= 0.5;
    default:
      return rest > 0.5;
  }
}

const triangle = (x: number): number => Math.max(1 - x, 0);

function cubic(x: number, a: number): number {
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/** A crop, if there is one: starts and ends of all axes, and the value outside. */
export interface Crop {
  readonly starts: ReadonlyArray<number>;
  readonly ends: ReadonlyArray<number>;
  readonly extrapolation: number;
}

const MAX_WEIGHTS: number = 2 ** 22;

const MAX_PLACES: number = 2 ** 16;

/**
 * The data with these axes resized: by an image operator if that means the same, else axis by axis
 * by weights. Of an axis that stays as it is `dims` may not know the size.
 */
export function resized(
  context: NodeContext,
  x: Expr,
  dims: ReadonlyArray<number | undefined>,
  axes: ReadonlyArray<ResampledAxis>,
  how: Resampling,
  crop: Crop | undefined,
): Expr | undefined {
  const rank = dims.length;
  const changed = axes.filter((a) => crop !== undefined || a.from !== a.to || a.scale !== 1);
  if (changed.some((a) => a.from < 1 || a.to < 1)) {
    return context.fail('ONNX_UNSUPPORTED', 'an empty image is not imported');
  }
  if (changed.length === 0) return x;
  const isExact = changed.every((a) => Math.abs(a.scale * a.from - a.to) < 1e-6 * a.to);
  const sizes = imageSizes(dims, axes);
  const hasSizes = sizes !== undefined && rank >= 3 && rank <= 5;
  const isImage = hasSizes && axes.every((a) => a.axis >= 2 || isWhole(a, crop));
  const isKnown = how.coordinates !== 'half_pixel_symmetric' || isExact;
  if (isImage && isKnown && isExact && !how.antialias && changed.every((a) => isAsSized(a, how))) {
    return image(context, x, sizes, how, crop);
  }
  if (crop !== undefined) {
    return context.fail('ONNX_UNSUPPORTED', 'a crop of these axes and scales is not imported');
  }
  let result: Expr | undefined = x;
  for (const axis of changed) {
    if (result === undefined || context.hasFailed()) return undefined;
    result = resampled(context, result, axis, how);
  }
  return result;
}

/**
 * Whether the result has the sizes of the data. Before operator set 11, which states coordinates, it
 * then is the data, whatever the scales.
 */
export const keepsSizes = (axes: ReadonlyArray<ResampledAxis>): boolean =>
  axes.every(({ from, to }) => from === to);

/**
 * Whether the places by the scale are those by the sizes, which the image operators compute with: of
 * scales that float32 rounds, such as 7/3, some lie across a border.
 */
function isAsSized(axis: ResampledAxis, how: Resampling): boolean {
  const bySizes = { ...axis, scale: axis.to / axis.from };
  if (how.mode !== 'nearest' || axis.scale === bySizes.scale) return true;
  const isSmall = axis.from * axis.to <= MAX_WEIGHTS;
  return !isSmall || `${nearestPlaces(axis, how)}` === `${nearestPlaces(bySizes, how)}`;
}

function nearestPlaces(axis: ResampledAxis, how: Resampling): ReadonlyArray<number> {
  const { from, to } = axis;
  const weights = resampleWeights(axis, how);
  return Array.from({ length: to }, (_, i) =>
    weights.subarray(i * from, (i + 1) * from).indexOf(1),
  );
}

const isWhole = ({ axis, from, to }: ResampledAxis, crop: Crop | undefined): boolean =>
  from === to && (crop === undefined || (crop.starts[axis] === 0 && crop.ends[axis] === 1));

function imageSizes(
  dims: ReadonlyArray<number | undefined>,
  axes: ReadonlyArray<ResampledAxis>,
): ReadonlyArray<number> | undefined {
  const all = dims.slice(2).map((dim, i) => axes.find((a) => a.axis === i + 2)?.to ?? dim);
  const known = all.filter((size) => size !== undefined);
  return known.length === all.length ? known : undefined;
}

function image(
  context: NodeContext,
  x: Expr,
  size: ReadonlyArray<number>,
  how: Resampling,
  crop: Crop | undefined,
): Expr | undefined {
  const method = { nearest: 'nearest_neighbor', linear: 'linear', cubic: 'cubic' }[how.mode];
  const isSymmetric = how.coordinates === 'half_pixel_symmetric';
  return context.call(`image.resize${size.length}d`, [x], {
    size,
    roi: crop === undefined ? null : [...crop.starts.slice(2), ...crop.ends.slice(2)],
    method,
    coordinate_transformation_mode: isSymmetric ? 'half_pixel' : how.coordinates,
    rounding_method: how.nearestMode,
    cubic_alpha: how.cubicA,
    cubic_exclude: how.excludeOutside ? 1 : 0,
    extrapolation_value: crop?.extrapolation ?? 0,
  });
}

function resampled(
  context: NodeContext,
  x: Expr,
  axis: ResampledAxis,
  how: Resampling,
): Expr | undefined {
  const { from, to } = axis;
  if (from * to > MAX_WEIGHTS || to > MAX_PLACES) {
    return context.fail('ONNX_LIMIT', `resizing ${from} places to ${to} takes too many weights`);
  }
  if (how.mode === 'nearest') {
    const places = nearestPlaces(axis, how);
    const indices = context.constant(tensor(places, [to], 'int64'));
    return take(context, x, indices, axis.axis);
  }
  const weights = resampleWeights(axis, how);
  const rank = context.dimsOf(x).length;
  const dtype = context.dtypeOf(x);
  const last = rank - 1;
  // The axis is exchanged with the last one, and back.
  const axes = Array.from({ length: rank }, (_, i) =>
    i === axis.axis ? last : i === last ? axis.axis : i,
  );
  const moved = (data: Expr): Expr => (axis.axis === last ? data : transpose(context, data, axes));
  const matrix = context.constant(tensor(Array.from(weights), [to, from], dtype));
  return moved(context.call('nn.dense', [moved(x), matrix]));
}

/** Whether images of any size grow by these whole numbers as `nn.upsampling` says. */
export function canUpsample(scales: ReadonlyArray<number>, how: Resampling): boolean {
  const [batch, channels, ...spatial] = scales;
  const isImage = batch === 1 && channels === 1 && spatial.length > 1 && spatial.length < 4;
  if (!isImage || spatial.some((n) => !Number.isInteger(n) || n < 1) || how.antialias) return false;
  if (how.coordinates === 'asymmetric' && how.mode === 'linear') return !how.excludeOutside;
  if (how.mode !== 'nearest') return false;
  // Each place is taken as many times as the scale says.
  if (how.nearestMode === 'floor') return FLOORED.has(how.coordinates);
  return how.nearestMode !== 'ceil' && CENTRED.has(how.coordinates);
}

const FLOORED: ReadonlySet<string> = new Set(['asymmetric', 'tf_half_pixel_for_nn']);

/** Coordinates by which the places of a cell lie less than a half from its middle. */
const CENTRED: ReadonlySet<string> = new Set([
  'half_pixel',
  'half_pixel_symmetric',
  'pytorch_half_pixel',
]);

/** The images enlarged by whole numbers, one for each axis. */
export function upsampled(
  context: NodeContext,
  x: Expr,
  scales: ReadonlyArray<number> | undefined,
  how: Resampling,
): Expr | undefined {
  if (scales === undefined) return undefined;
  const isNearest = how.mode === 'nearest';
  const [first = 1, second = 1, third] = scales.slice(2);
  if (third === undefined) {
    const method = isNearest ? 'nearest_neighbor' : 'bilinear';
    return context.call('nn.upsampling', [x], { scale_h: first, scale_w: second, method });
  }
  return context.call('nn.upsampling3d', [x], {
    scale_d: first,
    scale_h: second,
    scale_w: third,
    method: isNearest ? 'nearest_neighbor' : 'trilinear',
    // The nearest places are rounded.
    coordinate_transformation_mode: isNearest ? 'half_pixel' : 'asymmetric',
  });
}

/** The numbers of an input that must be constant; an absent or empty input has none. */
export function constantNumbers(
  context: NodeContext,
  index: number,
): ReadonlyArray<number> | undefined {
  const given = context.optional(index);
  if (given === undefined) return undefined;
  const value = context.valueOf(given);
  if (value === undefined) {
    return context.unknown(`expected a constant as input ${index}`);
  }
  const numbers = Array.from(toNumbers(value));
  return numbers.length === 0 ? undefined : numbers;
}

export function scaledAxes(
  context: NodeContext,
  dims: ReadonlyArray<number | undefined>,
  axes: ReadonlyArray<number>,
  scales: ReadonlyArray<number>,
): ReadonlyArray<ResampledAxis> | undefined {
  if (scales.length !== axes.length || scales.some((scale) => !(scale > 0))) {
    return context.fail('ONNX_INPUTS', `expected ${axes.length} scales above 0`);
  }
  return axes.map((axis, i) => {
    const [from, scale] = [dims[axis] ?? 0, scales[i] ?? 1];
    // The product of float32, which is whole where the product of doubles falls short: 10 · 0.7.
    return { axis, from, to: Math.floor(Math.fround(from * scale)), scale };
  });
}
