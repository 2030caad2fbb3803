/** Images at another size. */

import { anyDim, type Dim, dimsEqual, divideDims, type Expr, isStaticDim } from '@baton/ir';
import type { SpatialRank } from '@baton/ops';
import { fromNumbers, isFloat, shapeSize, tensor, toNumbers } from '@baton/tensor';
import { float, int, text } from '../../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../../operator-api/exporter.ts';
import type { Converted, LaterNode, NodeContext } from '../../operator-api/importer.ts';
import { castTo, resultDims, resultDType, withDType } from '../../shared/element-types.ts';
import { placesOf } from '../../shared/indices.ts';
import { viaPlainLayout } from '../../shared/layouts.ts';
import { type Chapter, reads } from '../../shared/rows.ts';
import { sizeOfAxis, sizesOfInput } from '../../shared/sizes.ts';
import { concatenate, reshape, take } from '../../shared/words.ts';
import {
  type Amount,
  asFloat,
  BYTE_RANGES,
  type OpenAxis,
  type Resampling,
  resizedAtRun,
  SIMPLE,
  scaledAtRun,
} from './at-run.ts';
import { canUpsample, image, keepsSizes, upsampled } from './resampling.ts';

export const resizeOperators: Chapter = [
  reads('Resize', readResize, {
    laterNode: (context) => laterResize(context),
    kernelSince: 11,
    kernelReads: [1, 2, 3],
    // Of other sizes than those of images, operators say with many nodes what one says.
    kernelWhen: (context) => context.version >= 11 && asImage(context) === undefined,
  }),
  reads('Upsample', readResize, {
    since: 7,
    laterNode: (context) => laterResize(context, 'floor'),
  }),
  writesResize('image.resize1d', 1, imageResampling),
  writesResize('image.resize2d', 2, imageResampling),
  writesResize('image.resize3d', 3, imageResampling),
  writesResize('nn.upsampling', 2, ({ attrs }) => {
    const corners = attrs.bool('align_corners');
    return {
      mode: MODES[attrs.text('method')] ?? 'nearest',
      coordinates: corners ? 'align_corners' : 'asymmetric',
      nearestMode: corners ? 'round_prefer_ceil' : 'floor',
      cubicA: -0.5,
      excludeOutside: false,
      scales: [attrs.float('scale_h'), attrs.float('scale_w')],
    };
  }),
  writesResize('nn.upsampling3d', 3, ({ attrs }) => ({
    mode: attrs.text('method') === 'trilinear' ? 'linear' : 'nearest',
    coordinates: attrs.text('coordinate_transformation_mode'),
    nearestMode: 'round_prefer_ceil',
    cubicA: -0.5,
    excludeOutside: false,
    scales: ['scale_d', 'scale_h', 'scale_w'].map((name) => attrs.float(name)),
  })),
];

/** `Resize` by scales or to sizes, also to those that only the run knows; `Upsample` by scales. */
function readResize(context: NodeContext): Converted {
  const request = requestOf(context);
  if (request === undefined) return undefined;
  const whole = asImage(context);
  if (whole !== undefined || context.hasFailed()) return whole;
  const axes = axesOf(context, request);
  const extrapolation = context.attributes.float('extrapolation_value', 0);
  return resizedAtRun(context, context.input(0), axes, request.how, extrapolation);
}

/** The result as a call of an operator for images, or as the data. */
function asImage(context: NodeContext): Expr | undefined {
  const request = requestOf(context);
  if (request === undefined) return undefined;
  const x = context.input(0);
  if (request.isOpen) return upsampled(context, x, scalesOfAll(request), request.how);
  const axes = axesOf(context, request);
  const isSame = axes.length === 0 || (context.version < 11 && keepsSizes(axes));
  if (isSame || context.hasFailed()) return x;
  return image(context, x, axes, request.how, context.attributes.float('extrapolation_value', 0));
}

/** A `Resize` of today in place of one of the first operator sets of sizes that only the run knows. */
function laterResize(context: NodeContext, rounding?: string): LaterNode | undefined {
  const request = context.version < 11 ? requestOf(context) : undefined;
  const nearest = rounding ?? request?.how.nearestMode ?? SIMPLE;
  if (request?.isOpen !== true || nearest === SIMPLE) return undefined;
  const texts = {
    mode: request.how.mode,
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: nearest,
  };
  const numbers = request.targets.map(Number);
  const scales =
    context.optional(1) ?? context.constant(tensor(numbers, [numbers.length], 'float32'));
  return {
    opType: 'Resize',
    attributes: Object.entries(texts).map(([name, value]) => ({
      name,
      value: { kind: 'string', value },
    })),
    inputs: [context.input(0), undefined, scales],
  };
}

/** The nearest places of operator set 10: the next one along axes that shrink, else the one before. */
function earlyRounding(scales: ReadonlyArray<Dim>): string {
  if (!scales.every(isStaticDim)) return SIMPLE;
  if (scales.every((scale) => scale >= 1)) return 'floor';
  return scales.every((scale) => scale <= 1) ? 'ceil' : SIMPLE;
}

const CROP = 'tf_crop_and_resize';

interface Request {
  readonly how: Resampling;
  readonly own: ReadonlyArray<Dim>;
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
  const how = resampling(context, targets);
  return how && { how, own, axes, targets, hasScales, isOpen, staying };
}

/** Whether an axis is taken as a whole: a crop takes parts of axes that keep their sizes, too. */
function wholeAxes(context: NodeContext, count: number): (place: number) => boolean {
  if (context.attributes.string('coordinate_transformation_mode', '') !== CROP) return () => true;
  const given = context.optional(1);
  const region = given && context.valueOf(given);
  const parts = region ? toNumbers(region) : [];
  return (place) => parts[place] === 0 && parts[place + count] === 1;
}

function scalesOfInput(context: NodeContext, index: number): ReadonlyArray<Dim> | undefined {
  const given = context.optional(index);
  const stated = context.attributes.raw('scales');
  if (stated?.kind === 'floats') return Array.from(stated.value);
  if (given === undefined) return undefined;
  const known = context.valueOf(given);
  if (known !== undefined)
    return shapeSize(known.shape) === 0 ? undefined : Array.from(toNumbers(known));
  const [count, ...others] = context.dimsOf(given);
  if (others.length > 0 || typeof count !== 'number') {
    return context.unknown(`expected a list of known length as input ${index}`, given);
  }
  return count === 0 ? undefined : new Array<Dim>(count).fill(anyDim);
}

/** The whole number by which each axis grows, if they all do. */
function scalesOfAll({
  how,
  own,
  axes,
  targets,
  hasScales,
  staying,
}: Request): ReadonlyArray<number> | undefined {
  const scales = new Array<number>(own.length).fill(1);
  for (const [i, axis] of axes.entries()) {
    if (staying.has(i)) continue;
    const target = targets[i] ?? anyDim;
    const scale = hasScales ? target : divideDims(target, own[axis] ?? anyDim);
    if (typeof scale !== 'number') return undefined;
    scales[axis] = scale;
  }
  return canUpsample(scales, how) ? scales : undefined;
}

function axesOf(
  context: NodeContext,
  { how, axes, targets, hasScales, staying }: Request,
): ReadonlyArray<OpenAxis> {
  const isCrop = how.coordinates === CROP;
  const x = context.input(0);
  const [list, roi] = [
    context.optional(hasScales ? (context.version < 11 ? 1 : 2) : 3),
    context.optional(1),
  ];
  if (isCrop && (roi === undefined || context.dimsOf(roi)[0] !== 2 * axes.length)) {
    context.fail('ONNX_INPUTS', `expected a region of ${axes.length} axes`);
  }
  const element = (of: Expr | undefined, i: number): Amount => {
    const value = of && context.valueOf(of);
    if (value !== undefined) return toNumbers(value)[i] ?? 0;
    if (of === undefined) return 0;
    return take(context, of, context.scalar(i, 'int64'), 0);
  };
  const known = axes.map((axis, i) => {
    const target = targets[i] ?? anyDim;
    const from = sizeOfAxis(context, x, axis);
    const amount = isStaticDim(target) ? target : element(list, i);
    const isAmount = typeof amount !== 'number' || (hasScales ? amount > 0 : amount >= 0);
    if (!isAmount) context.fail('ONNX_INPUTS', `expected ${axes.length} scales above 0`);
    return hasScales
      ? { axis, from, scale: amount, to: scaledAtRun(context, from, amount) }
      : { axis, from, to: amount, scale: ratio(context, amount, from) };
  });
  const policy = hasScales ? 'stretch' : policyOf(context);
  const fitted = policy === 'stretch' ? known : inProportion(context, known, policy);
  const changed = fitted.filter(
    ({ from, to, scale }, i) =>
      !staying.has(i) && (isCrop || from !== to || scale !== 1 || typeof from !== 'number'),
  );
  if (changed.some(({ from, to }) => from === 0 || to === 0)) {
    context.fail('ONNX_UNSUPPORTED', 'an empty image is not imported');
  }
  return changed.map((one): OpenAxis => {
    const i = axes.indexOf(one.axis);
    return isCrop ? { ...one, part: [element(roi, i), element(roi, i + axes.length)] } : one;
  });
}

function ratio(context: NodeContext, to: Amount, from: Amount): Amount {
  if (typeof to === 'number' && typeof from === 'number') return to / from;
  const [size, other] = [asFloat(context, to), asFloat(context, from)];
  return context.formula('?size / ?other', { size, other });
}

/** The axes with one scale for all: the least, or the greatest. */
function inProportion(
  context: NodeContext,
  axes: ReadonlyArray<OpenAxis>,
  policy: string,
): ReadonlyArray<OpenAxis> {
  const { formula } = context;
  const pick = policy === 'not_larger' ? 'minimum' : 'maximum';
  const numbers = axes.map(({ scale }) => scale).filter((scale) => typeof scale === 'number');
  if (numbers.length === axes.length) {
    const scale = policy === 'not_larger' ? Math.min(...numbers) : Math.max(...numbers);
    return axes.map(({ axis, from }) => {
      return { axis, from, scale, to: Math.floor(scale * Number(from) + 0.5) };
    });
  }
  const each = axes.map(({ scale }) => asFloat(context, scale));
  const scale = each.reduce((a, b) => formula('?pick(?a, ?b)', { pick, a, b }));
  return axes.map(({ axis, from }) => {
    const text = 'cast(floor(?scale * ?size + 0.5), dtype="int64")';
    return { axis, from, scale, to: formula(text, { scale, size: asFloat(context, from) }) };
  });
}

const policyOf = ({ attributes }: NodeContext): string =>
  attributes.string('keep_aspect_ratio_policy', 'stretch');

const CALL_COORDINATES = [
  'half_pixel',
  'half_pixel_symmetric',
  'pytorch_half_pixel',
  'align_corners',
  'asymmetric',
  'tf_half_pixel_for_nn',
  'tf_crop_and_resize',
];

function resampling(context: NodeContext, targets: ReadonlyArray<Dim>): Resampling | undefined {
  const { attributes, version } = context;
  const mode = attributes.string('mode');
  // Before 11 there was one mode.
  const [where, round] =
    version < 11 ? ['asymmetric', 'floor'] : ['half_pixel', 'round_prefer_floor'];
  const coordinates = attributes.string('coordinate_transformation_mode', where);
  const nearestMode = attributes.string('nearest_mode', round);
  const isRounding = ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'];
  if (mode !== 'nearest' && mode !== 'linear' && (mode !== 'cubic' || version < 11)) {
    const modes = version < 11 ? 'nearest or linear' : 'nearest, linear or cubic';
    return context.fail('ONNX_ATTRIBUTE', `expected mode ${modes}`);
  }
  if (!CALL_COORDINATES.includes(coordinates) || !isRounding.includes(nearestMode)) {
    return context.fail('ONNX_ATTRIBUTE', 'expected a mode of coordinates and rounding of ONNX');
  }
  return {
    mode,
    coordinates,
    nearestMode: version < 11 && mode === 'nearest' ? earlyRounding(targets) : nearestMode,
    cubicA: attributes.float('cubic_coeff_a', -0.75),
    excludeOutside: attributes.int('exclude_outside', 0) !== 0,
    antialias: attributes.int('antialias', 0) !== 0,
  };
}

const MODES: Readonly<Partial<Record<string, Interpolation['mode']>>> = {
  nearest_neighbor: 'nearest',
  bilinear: 'linear',
  bicubic: 'cubic',
};

interface Interpolation extends Omit<Resampling, 'antialias'> {
  /** The part that is cropped, where the coordinates ask for one: all starts, then all ends. */
  readonly crop?: ReadonlyArray<number>;
  readonly extrapolation?: number;
  /** The scales of the spatial axes, where these are what the operator states. */
  readonly scales?: ReadonlyArray<number>;
}

function writesResize(
  op: string,
  rank: SpatialRank,
  of: (context: CallContext) => Interpolation,
): OnnxExporter {
  return {
    op,
    write: (context) => viaPlainLayout(context, op, rank) ?? writtenResize(context, of(context)),
  };
}

const NODE_COORDINATES = [
  'half_pixel',
  'align_corners',
  'asymmetric',
  'pytorch_half_pixel',
  'tf_crop_and_resize',
];

function writtenResize(context: CallContext, how: Interpolation): Written {
  const dims = resultDims(context);
  const spatial = dims.slice(2).filter(isStaticDim);
  const isWhole = how.scales?.every((scale) => Number.isInteger(scale)) === true;
  if (spatial.length < dims.length - 2 && !isWhole) {
    return context.unknown('expected known sizes of the images');
  }
  // The images have the element type of the result before they are resized.
  const dtype = resultDType(context);
  const x = castTo(context, context.input(0), dtype);
  if (!NODE_COORDINATES.includes(how.coordinates)) return byPlaces(context, x, spatial);
  return isFloat(dtype) || how.mode === 'nearest'
    ? resizeNode(context, x, how)
    : roundedImage(context, x, how);
}

function resizeNode(context: CallContext, x: Operand, how: Interpolation): Operand {
  const [type] = context.results;
  const roi = regionOf(context, how);
  return context.node(
    'Resize',
    [
      x,
      roi,
      ...(roi === undefined
        ? extentOf(context, x, how.scales)
        : [undefined, sizesAtRun(context, x)]),
    ],
    {
      mode: text(how.mode),
      coordinate_transformation_mode: text(how.coordinates),
      ...(roi === undefined ? {} : { extrapolation_value: float(how.extrapolation ?? 0) }),
      ...(how.mode === 'nearest' ? { nearest_mode: text(how.nearestMode) } : {}),
      ...(how.mode === 'cubic'
        ? { cubic_coeff_a: float(how.cubicA), exclude_outside: int(how.excludeOutside) }
        : {}),
    },
    type && withDType(type, context.dtype(x)),
  );
}

function extentOf(
  context: CallContext,
  x: Operand,
  stated: ReadonlyArray<number> = [],
): ReadonlyArray<Operand | undefined> {
  const [from, to] = [context.dims(x), resultDims(context)];
  const isKnown = to.every(isStaticDim);
  const scales = to.map((dim, axis) =>
    axis < 2 ? 1 : (stated[axis - 2] ?? Number(dim) / Number(from[axis])),
  );
  // A scale that float32 rounds is not the quotient of the sizes, and `Resize` rounds sizes down.
  const areExact = scales.every((scale, axis) => {
    const [size, wanted] = [from[axis], to[axis]];
    const isKnownAxis = typeof size === 'number' && typeof wanted === 'number';
    const isRight = !isKnownAxis || Math.floor(size * scale) === wanted;
    return scale > 0 && Math.fround(scale) === scale && isRight;
  });
  return isKnown || !areExact
    ? [undefined, sizesAtRun(context, x)]
    : [context.constant(fromNumbers(Float64Array.from(scales), [scales.length], 'float32'))];
}

/**
 * The sizes of all axes of the result. There is no attribute `axes`: runtimes that move a transpose
 * past the node permute the sizes as if there were one for each axis.
 */
function sizesAtRun(context: CallContext, x: Operand): Operand {
  const { formula, ints: list } = context;
  const dims = resultDims(context);
  const sizes = dims.filter(isStaticDim);
  if (sizes.length === dims.length) return list(sizes);
  const batch = formula('strided_slice(shape_of(?x, dtype="int64"), begin=[0], end=[2])', { x });
  return concatenate(context, [batch, list(dims.slice(2).filter(isStaticDim))], 0);
}

/**
 * Images of integers, resized as floats and rounded: ONNX leaves the rounding open, and runtimes
 * truncate. A cubic resize may leave the range of the type, and bytes saturate.
 */
function roundedImage(context: CallContext, x: Operand, how: Interpolation): Operand {
  const dtype = context.dtype(x);
  const image = resizeNode(context, castTo(context, x, 'float32'), how);
  const rounded = context.formula('floor(?image + 0.5)', { image });
  const range = how.mode === 'cubic' ? BYTE_RANGES[dtype] : undefined;
  return castTo(context, range ? context.call('clip', [rounded], range) : rounded, dtype);
}

function imageResampling({ attrs }: CallContext): Interpolation {
  const method = attrs.text('method');
  const rounding = attrs.text('rounding_method');
  return {
    mode: method === 'nearest_neighbor' ? 'nearest' : method === 'cubic' ? 'cubic' : 'linear',
    coordinates: attrs.text('coordinate_transformation_mode'),
    nearestMode: rounding === 'round' ? 'round_prefer_ceil' : rounding,
    cubicA: attrs.float('cubic_alpha'),
    excludeOutside: attrs.int('cubic_exclude') !== 0,
    crop: attrs.ints('roi'),
    extrapolation: attrs.float('extrapolation_value'),
  };
}

/**
 * A resize with coordinates that ONNX lacks, to the nearest places: these are taken axis by axis.
 * The resize of an axis that holds its own places tells them.
 */
function byPlaces(context: CallContext, x: Operand, sizes: ReadonlyArray<number>): Written {
  const { attrs, call } = context;
  if (attrs.text('method') !== 'nearest_neighbor') {
    const mode = attrs.text('coordinate_transformation_mode');
    return context.fail(`Resize has no coordinates in mode ${mode}`);
  }
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const how = { ...attrs.all, roi: null, layout: 'NCW', out_dtype: null };
  const moved = sizes.reduce((data, size, i) => {
    const from = shape[i + 2] ?? 1;
    context.room(from);
    const own = placesOf([1, 1, from], 'float64');
    const places = call('image.resize1d', [context.constant(own)], { ...how, size: [size] });
    const indices = reshape(context, castTo(context, places, 'int64'), [-1]);
    return take(context, data, indices, i + 2);
  }, x);
  return castTo(context, moved, resultDType(context));
}

function regionOf(
  context: CallContext,
  { coordinates, crop = [] }: Interpolation,
): Operand | undefined {
  if (coordinates !== 'tf_crop_and_resize') return undefined;
  const [starts, ends] = [crop.slice(0, crop.length / 2), crop.slice(crop.length / 2)];
  const region = [0, 0, ...starts, 1, 1, ...ends];
  return context.constant(fromNumbers(Float64Array.from(region), [region.length], 'float32'));
}
