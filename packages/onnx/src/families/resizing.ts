/** The common part of `Resize` and `Upsample`: a resize of any axes, by any scales. */
import type { Expr } from '@baton/ir';
import { tensor, toNumbers } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { type ResampledAxis, type Resampling, resampleWeights } from './resample.ts';

/** A crop, if there is one: starts and ends of all axes, and the value outside. */
export interface Crop {
  readonly starts: ReadonlyArray<number>;
  readonly ends: ReadonlyArray<number>;
  readonly extrapolation: number;
}

/** Matrices of weights up to this size are written into the module. */
const MAX_WEIGHTS: number = 2 ** 22;

/** The longest axis that weights make: each of its places takes a microsecond or two. */
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

/** The places that an axis takes. */
function nearestPlaces(axis: ResampledAxis, how: Resampling): ReadonlyArray<number> {
  const { from, to } = axis;
  const weights = resampleWeights(axis, how);
  return Array.from({ length: to }, (_, i) =>
    weights.subarray(i * from, (i + 1) * from).indexOf(1),
  );
}

/** Whether the axis stays unchanged. */
const isWhole = ({ axis, from, to }: ResampledAxis, crop: Crop | undefined): boolean =>
  from === to && (crop === undefined || (crop.starts[axis] === 0 && crop.ends[axis] === 1));

/** The sizes of the resized image, if all are known. */
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

/** One axis resized, as a product with its weights; nearest places are taken directly. */
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
    return context.call('take', [x, indices], { axis: axis.axis });
  }
  const weights = resampleWeights(axis, how);
  const rank = context.dimsOf(x).length;
  const dtype = context.dtypeOf(x);
  const last = rank - 1;
  // The axis is exchanged with the last one, and back.
  const axes = Array.from({ length: rank }, (_, i) =>
    i === axis.axis ? last : i === last ? axis.axis : i,
  );
  const moved = (data: Expr): Expr =>
    axis.axis === last ? data : context.call('transpose', [data], { axes });
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

/** The axes by their scales; `undefined` after a failure. */
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
