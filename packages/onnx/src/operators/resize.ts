/** `Resize` by constant scales or to constant sizes. */
import { anyDim, type Dim, dimsEqual, type Expr, isAnyDim, isStaticDim } from '@baton/ir';
import type { ResampledAxis, Resampling } from '../families/resample.ts';
import {
  type Crop,
  constantNumbers,
  keepsSizes,
  resized,
  scaledAxes,
} from '../families/resizing.ts';
import { sizesOfInput } from '../families/sized.ts';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const resize: OnnxOperator = {
  opType: 'Resize',
  versions: [10, 11, 13, 18, 19],
  inputs: [1, 4],
  attributes: {
    antialias: 'int',
    axes: 'ints',
    coordinate_transformation_mode: 'string',
    cubic_coeff_a: 'float',
    exclude_outside: 'int',
    extrapolation_value: 'float',
    keep_aspect_ratio_policy: 'string',
    mode: 'string',
    nearest_mode: 'string',
  },
  convert: (context) => {
    const x = context.input(0);
    const own = context.dimsOf(x);
    const how = resampling(context);
    // The sizes of axes that stay as they are do not matter.
    const dims = own.map((dim) => (isStaticDim(dim) ? dim : 1));
    const given = context.attributes.ints('axes') ?? dims.map((_, i) => i);
    const listed = given.map((axis) => context.axis(axis, dims.length));
    const axes = resizedAxes(context, own, dims, listed);
    if (axes === undefined || how === undefined || context.hasFailed()) return undefined;
    const isCrop = how.coordinates === 'tf_crop_and_resize';
    const crop = isCrop ? cropOf(context, dims.length, listed) : undefined;
    if (context.hasFailed()) return undefined;
    if (context.version < 11 && keepsSizes(axes)) return x;
    return context.version < 11 && how.mode === 'nearest'
      ? simplyResized(context, x, dims, axes, how)
      : resized(context, x, dims, axes, how, crop);
  },
};

/**
 * The nearest places of operator set 10: the next one along axes that shrink, and the one before along
 * others.
 */
function simplyResized(
  context: NodeContext,
  x: Expr,
  dims: ReadonlyArray<number>,
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
  const mode = attributes.string('mode', 'nearest');
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

/** The axes that are resized, by their sizes: among them are all of known size. */
function resizedAxes(
  context: NodeContext,
  own: ReadonlyArray<Dim>,
  dims: ReadonlyArray<number>,
  listed: ReadonlyArray<number>,
): ReadonlyArray<ResampledAxis> | undefined {
  const scales = constantNumbers(context, context.version < 11 ? 1 : 2);
  if (context.hasFailed()) return undefined;
  const sizes =
    scales === undefined && context.version >= 11 ? sizesOfInput(context, 3) : undefined;
  if (context.hasFailed()) return undefined;
  const targets = scales ?? sizes;
  if (targets?.length !== listed.length) {
    return context.fail('ONNX_INPUTS', `expected ${listed.length} scales or sizes`);
  }
  const { attributes } = context;
  const isOpen = (axis: number): boolean => !isStaticDim(own[axis] ?? 1);
  const stays = (axis: number, i: number): boolean =>
    scales === undefined
      ? dimsEqual(targets[i] ?? anyDim, own[axis] ?? anyDim) && !isAnyDim(own[axis] ?? anyDim)
      : scales[i] === 1;
  const keepsRatio = attributes.string('keep_aspect_ratio_policy', 'stretch') !== 'stretch';
  const changing = listed.filter((axis, i) => isOpen(axis) && (keepsRatio || !stays(axis, i)));
  const computed = changing.find((axis) => isAnyDim(own[axis] ?? anyDim));
  if (computed !== undefined) {
    // Sizes of inputs do not say it.
    return context.fail(
      'ONNX_NOT_CONSTANT',
      `expected an image of known size: axis ${computed} is as long as the run computes`,
      'bind the inputs from whose values it is computed with the option constants, or give all sizes',
    );
  }
  if (changing.length > 0) return context.unknown('expected an image of known size');
  const axes = listed.filter((axis) => !isOpen(axis));
  const known = targets.filter((_, i) => !isOpen(listed[i] ?? 0)).filter(isStaticDim);
  if (known.length < axes.length) return context.unknown('expected a constant as input 3');
  return scales === undefined
    ? sizedAxes(context, dims, axes, known)
    : scaledAxes(context, dims, axes, known);
}

/** The axes by their sizes, of which the ratio of the images may keep some from being taken. */
function sizedAxes(
  { attributes }: NodeContext,
  dims: ReadonlyArray<number>,
  axes: ReadonlyArray<number>,
  sizes: ReadonlyArray<number>,
): ReadonlyArray<ResampledAxis> {
  const each = axes.map((axis, i) => (sizes[i] ?? 0) / (dims[axis] ?? 1));
  const policy = attributes.string('keep_aspect_ratio_policy', 'stretch');
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
