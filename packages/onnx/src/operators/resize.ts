/** `Resize` by scales or to sizes, also to those that only the run knows. */
import { anyDim, type Dim, dimsEqual, divideDims, type Expr, isStaticDim } from '@baton/ir';
import { toNumbers } from '@baton/tensor';
import type { ResampledAxis, Resampling } from '../families/resample.ts';
import {
  type Crop,
  canUpsample,
  constantNumbers,
  keepsSizes,
  resized,
  scaledAxes,
  upsampled,
} from '../families/resizing.ts';
import {
  type Amount,
  asFloat,
  type OpenAxis,
  resizedAtRun,
  scaledAtRun,
} from '../families/resizing-at-run.ts';
import { sizeOfAxis, sizesOfInput } from '../families/sized.ts';
import type { LaterNode, NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const resize: OnnxImporter = {
  opType: 'Resize',
  kernelSince: 11,
  kernelReads: [1, 2, 3],
  // What operators say of sizes that only the run knows takes many of them.
  kernelWhen: (context) => {
    const request = context.version < 11 ? undefined : requestOf(context);
    return request?.isOpen === true && scalesOfAll(context, request) === undefined;
  },
  laterNode: (context) => {
    const request = context.version < 11 ? requestOf(context) : undefined;
    if (request?.isOpen !== true) return undefined;
    const mode = context.attributes.string('mode');
    const rounding = mode === 'nearest' ? earlyRounding(request.targets) : 'floor';
    return rounding && asResize(context.input(0), context.input(1), mode, rounding);
  },
  convert: (context) => {
    const x = context.input(0);
    const how = resampling(context);
    const request = requestOf(context);
    if (request === undefined || how === undefined || context.hasFailed()) return undefined;
    const { own, axes: listed } = request;
    const isCrop = how.coordinates === CROP;
    if (request.isOpen) {
      const enlarged = upsampled(context, x, scalesOfAll(context, request), how);
      return enlarged ?? openly(context, request, how, isCrop);
    }
    const dims = own.map((dim) => (isStaticDim(dim) ? dim : undefined));
    const axes = resizedAxes(context, request, dims);
    if (axes === undefined || context.hasFailed()) return undefined;
    const crop = isCrop ? cropOf(context, dims.length, listed) : undefined;
    if (context.hasFailed()) return undefined;
    if (context.version < 11 && keepsSizes(axes)) return x;
    return context.version < 11 && how.mode === 'nearest'
      ? simplyResized(context, x, dims, axes, how)
      : resized(context, x, dims, axes, how, crop);
  },
};

/** The nearest places of operator set 10, if they are the same along all axes. */
function earlyRounding(scales: ReadonlyArray<Dim>): 'floor' | 'ceil' | undefined {
  if (!scales.every(isStaticDim)) return undefined;
  if (scales.every((scale) => scale >= 1)) return 'floor';
  return scales.every((scale) => scale <= 1) ? 'ceil' : undefined;
}

/** A `Resize` of today that says what one of the first operator sets says. */
export function asResize(x: Expr, scales: Expr, mode: string, rounding: string): LaterNode {
  const texts = {
    mode,
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: rounding,
  };
  return {
    operator: resize,
    attributes: Object.entries(texts).map(([name, value]) => ({
      name,
      value: { kind: 'string', value },
    })),
    inputs: [x, undefined, scales],
  };
}

/** The coordinates of a crop. */
const CROP = 'tf_crop_and_resize';

/** What a node asks for. */
interface Request {
  /** The dimensions of the data. */
  readonly own: ReadonlyArray<Dim>;
  /** The axes that scales or sizes are for. */
  readonly axes: ReadonlyArray<number>;
  /** The scales, or else sizes; `?` for those that the run knows. */
  readonly targets: ReadonlyArray<Dim>;
  readonly hasScales: boolean;
  /** Whether a size of the image changes, and only the run knows all of them. */
  readonly isOpen: boolean;
  /** The places among `axes` of those that no run changes. */
  readonly staying: ReadonlySet<number>;
}

function requestOf(context: NodeContext): Request | undefined {
  const own = context.dimsOf(context.input(0));
  const given = context.attributes.ints('axes') ?? own.map((_, i) => i);
  const axes = given.map((axis) => context.axis(axis, own.length));
  const scales = scalesOfInput(context, context.version < 11 ? 1 : 2);
  if (context.hasFailed()) return undefined;
  const sizes =
    scales === undefined && context.version >= 11 ? sizesOfInput(context, 3) : undefined;
  if (context.hasFailed()) return undefined;
  const targets = scales ?? sizes;
  if (targets?.length !== axes.length) {
    return context.fail('ONNX_INPUTS', `expected ${axes.length} scales or sizes`);
  }
  const hasScales = scales !== undefined;
  const keepsRatio = !hasScales && policyOf(context) !== 'stretch';
  const isWhole = wholeAxes(context, axes.length);
  const staying = new Set<number>();
  let isOpen = false;
  for (const [i, axis] of axes.entries()) {
    const [dim, target] = [own[axis] ?? anyDim, targets[i] ?? anyDim];
    const isSame = hasScales ? target === 1 : dimsEqual(target, dim);
    if (!keepsRatio && isSame && isWhole(i)) staying.add(i);
    else if (!isStaticDim(dim) || !isStaticDim(target)) isOpen = true;
  }
  // An image operator states the sizes of all its axes.
  const changes = staying.size < axes.length;
  isOpen ||= changes && !own.slice(2).every(isStaticDim);
  return { own, axes, targets, hasScales, isOpen, staying };
}

/** Whether an axis is taken as a whole: a crop takes parts of axes that keep their sizes, too. */
function wholeAxes(context: NodeContext, count: number): (place: number) => boolean {
  if (context.attributes.string('coordinate_transformation_mode', '') !== CROP) return () => true;
  const given = context.optional(1);
  const region = given && context.valueOf(given);
  const parts = region ? toNumbers(region) : [];
  return (place) => parts[place] === 0 && parts[place + count] === 1;
}

/** The scales in an input, if it has any. */
function scalesOfInput(context: NodeContext, index: number): ReadonlyArray<Dim> | undefined {
  const given = context.optional(index);
  if (given === undefined) return undefined;
  if (context.valueOf(given) !== undefined) return constantNumbers(context, index);
  const [count, ...others] = context.dimsOf(given);
  if (others.length > 0 || typeof count !== 'number') {
    return context.unknown(`expected a list of known length as input ${index}`, given);
  }
  return count === 0 ? undefined : new Array<Dim>(count).fill(anyDim);
}

/** The whole number by which each axis grows, if they all do. */
function scalesOfAll(
  context: NodeContext,
  { own, axes, targets, hasScales, staying }: Request,
): ReadonlyArray<number> | undefined {
  const how = resampling(context);
  const scales = new Array<number>(own.length).fill(1);
  for (const [i, axis] of axes.entries()) {
    if (staying.has(i)) continue;
    const target = targets[i] ?? anyDim;
    const scale = hasScales ? target : divideDims(target, own[axis] ?? anyDim);
    if (typeof scale !== 'number') return undefined;
    scales[axis] = scale;
  }
  return how !== undefined && canUpsample(scales, how) ? scales : undefined;
}

/** The resize with sizes that only the run knows. */
function openly(
  context: NodeContext,
  { own, axes, targets, hasScales, staying }: Request,
  how: Resampling,
  isCrop: boolean,
): Expr | undefined {
  const x = context.input(0);
  const [list, roi] = [
    context.optional(hasScales ? (context.version < 11 ? 1 : 2) : 3),
    context.optional(1),
  ];
  const element = (of: Expr | undefined, i: number): Amount => {
    const value = of && context.valueOf(of);
    if (value !== undefined) return toNumbers(value)[i] ?? 0;
    if (of === undefined) return 0;
    return context.call('take', [of, context.scalar(i, 'int64')], { axis: 0 });
  };
  const known = axes.map((axis, i) => {
    const [dim, target] = [own[axis] ?? anyDim, targets[i] ?? anyDim];
    const from = isStaticDim(dim) ? dim : sizeOfAxis(context, x, axis);
    const amount = isStaticDim(target) ? target : element(list, i);
    return hasScales
      ? { axis, from, scale: amount, to: scaledAtRun(context, from, amount) }
      : { axis, from, to: amount, scale: ratio(context, amount, from) };
  });
  const policy = hasScales ? 'stretch' : policyOf(context);
  const fitted = policy === 'stretch' ? known : inProportion(context, known, policy);
  const changed = fitted.filter((_, i) => !staying.has(i));
  const parts = changed.map((one): OpenAxis => {
    const i = axes.indexOf(one.axis);
    return isCrop ? { ...one, part: [element(roi, i), element(roi, i + axes.length)] } : one;
  });
  const extrapolation = context.attributes.float('extrapolation_value', 0);
  const rounding = context.version < 11 ? 'simple' : how.nearestMode;
  return resizedAtRun(context, x, parts, { ...how, nearestMode: rounding }, extrapolation);
}

/** The quotient of two sizes. */
function ratio(context: NodeContext, to: Amount, from: Amount): Amount {
  if (typeof to === 'number' && typeof from === 'number') return to / from;
  return context.call('divide', [asFloat(context, to), asFloat(context, from)]);
}

/** The axes with one scale for all: the least, or the greatest. */
function inProportion(
  context: NodeContext,
  axes: ReadonlyArray<OpenAxis>,
  policy: string,
): ReadonlyArray<OpenAxis> {
  const { call } = context;
  const pick = policy === 'not_larger' ? 'minimum' : 'maximum';
  const each = axes.map(({ scale }) => asFloat(context, scale));
  const scale = each.reduce((a, b) => call(pick, [a, b]));
  return axes.map(({ axis, from }) => {
    const product = call('multiply', [scale, asFloat(context, from)]);
    const rounded = call('floor', [call('add', [product, 0.5])]);
    return { axis, from, scale, to: call('cast', [rounded], { dtype: 'int64' }) };
  });
}

const policyOf = ({ attributes }: NodeContext): string =>
  attributes.string('keep_aspect_ratio_policy', 'stretch');

/**
 * The nearest places of operator set 10: the next one along axes that shrink, and the one before along
 * others.
 */
function simplyResized(
  context: NodeContext,
  x: Expr,
  dims: ReadonlyArray<number | undefined>,
  axes: ReadonlyArray<ResampledAxis>,
  how: Resampling,
): Expr | undefined {
  const others = axes.filter(({ scale }) => scale >= 1);
  const shrinking = axes.filter(({ scale }) => scale < 1);
  const grown = resized(context, x, dims, others, { ...how, nearestMode: 'floor' }, undefined);
  if (grown === undefined) return undefined;
  const grownDims = dims.map((dim, axis) => others.find((one) => one.axis === axis)?.to ?? dim);
  const rounding = { ...how, nearestMode: 'ceil' };
  return resized(context, grown, grownDims, shrinking, rounding, undefined);
}

const COORDINATES = [
  'half_pixel',
  'half_pixel_symmetric',
  'pytorch_half_pixel',
  'align_corners',
  'asymmetric',
  'tf_half_pixel_for_nn',
  'tf_crop_and_resize',
];

function resampling(context: NodeContext): Resampling | undefined {
  const { attributes, version } = context;
  const mode = attributes.string('mode');
  // Before 11 there was one mode.
  const [where, round] =
    version < 11 ? ['asymmetric', 'floor'] : ['half_pixel', 'round_prefer_floor'];
  const coordinates = attributes.string('coordinate_transformation_mode', where);
  const nearestMode = attributes.string('nearest_mode', round);
  const isRounding = ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'];
  if (mode !== 'nearest' && mode !== 'linear' && mode !== 'cubic') {
    return context.fail('ONNX_ATTRIBUTE', 'expected mode nearest, linear or cubic');
  }
  if (!COORDINATES.includes(coordinates) || !isRounding.includes(nearestMode)) {
    return context.fail('ONNX_ATTRIBUTE', 'expected a mode of coordinates and rounding of ONNX');
  }
  return {
    mode,
    coordinates,
    nearestMode,
    cubicA: attributes.float('cubic_coeff_a', -0.75),
    excludeOutside: attributes.int('exclude_outside', 0) !== 0,
    antialias: attributes.int('antialias', 0) !== 0,
  };
}

/** The axes that are resized, all of known size. */
function resizedAxes(
  context: NodeContext,
  { own, axes: listed, targets, hasScales }: Request,
  dims: ReadonlyArray<number | undefined>,
): ReadonlyArray<ResampledAxis> | undefined {
  const isKnown = (axis: number): boolean => isStaticDim(own[axis] ?? anyDim);
  const axes = listed.filter(isKnown);
  const known = targets.filter((_, i) => isKnown(listed[i] ?? 0)).filter(isStaticDim);
  return hasScales ? scaledAxes(context, dims, axes, known) : sizedAxes(context, dims, axes, known);
}

/** The axes by their sizes, of which the ratio of the images may keep some from being taken. */
function sizedAxes(
  context: NodeContext,
  dims: ReadonlyArray<number | undefined>,
  axes: ReadonlyArray<number>,
  sizes: ReadonlyArray<number>,
): ReadonlyArray<ResampledAxis> {
  const each = axes.map((axis, i) => (sizes[i] ?? 0) / (dims[axis] ?? 1));
  const policy = policyOf(context);
  if (policy === 'stretch') {
    return axes.map((axis, i) => ({
      axis,
      from: dims[axis] ?? 0,
      to: sizes[i] ?? 0,
      scale: each[i] ?? 1,
    }));
  }
  const scale = policy === 'not_larger' ? Math.min(...each) : Math.max(...each);
  return axes.map((axis) => {
    const from = dims[axis] ?? 0;
    return { axis, from, to: Math.floor(scale * from + 0.5), scale };
  });
}

function cropOf(context: NodeContext, rank: number, axes: ReadonlyArray<number>): Crop | undefined {
  const roi = constantNumbers(context, 1);
  if (roi?.length !== 2 * axes.length) {
    return context.fail('ONNX_INPUTS', `expected a region of ${axes.length} axes`);
  }
  const starts = new Array<number>(rank).fill(0);
  const ends = new Array<number>(rank).fill(1);
  axes.forEach((axis, i) => {
    starts[axis] = roi[i] ?? 0;
    ends[axis] = roi[i + axes.length] ?? 1;
  });
  const extrapolation = context.attributes.float('extrapolation_value', 0);
  return { starts, ends, extrapolation };
}
