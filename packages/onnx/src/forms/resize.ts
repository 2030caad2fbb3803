/** Images at another size. */
import { isStaticDim } from '@baton/ir';
import type { SpatialRank } from '@baton/ops';
import { type DType, fromNumbers, isFloat } from '@baton/tensor';
import { float, int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import { placesOf } from './indices.ts';
import { viaPlainLayout } from './layout.ts';
import { castTo, resultDims, resultDType, withDType } from './types.ts';

/** The interpolation, by the names of ONNX. */
export interface Resampling {
  readonly mode: 'nearest' | 'linear' | 'cubic';
  readonly coordinates: string;
  readonly nearestMode: string;
  readonly cubicA: number;
  readonly excludeOutside: boolean;
  /** The part that is cropped, where the coordinates ask for one: all starts, then all ends. */
  readonly crop?: ReadonlyArray<number>;
  /** The value outside the data. */
  readonly extrapolation?: number;
  /** The scales of the spatial axes, where these are what the operator states. */
  readonly scales?: ReadonlyArray<number>;
}

/** The export of a resize of `rank` axes to the size of the result. */
export const resizing = (
  op: string,
  rank: SpatialRank,
  of: (context: CallContext) => Resampling,
): OnnxExporter => ({
  op,
  write: (context) => viaPlainLayout(context, op, rank) ?? resized(context, of(context)),
});

/** The modes of coordinates that `Resize` has. */
const COORDINATES = [
  'half_pixel',
  'align_corners',
  'asymmetric',
  'pytorch_half_pixel',
  'tf_crop_and_resize',
];

function resized(context: CallContext, how: Resampling): Written {
  const dims = resultDims(context);
  const spatial = dims.slice(2).filter(isStaticDim);
  const isWhole = how.scales?.every((scale) => Number.isInteger(scale)) === true;
  if (spatial.length < dims.length - 2 && !isWhole) {
    return context.unknown('expected known sizes of the images');
  }
  // The images have the element type of the result before they are resized.
  const dtype = resultDType(context);
  const x = castTo(context, context.input(0), dtype);
  if (!COORDINATES.includes(how.coordinates)) return byPlaces(context, x, spatial);
  return isFloat(dtype) || how.mode === 'nearest'
    ? resizeNode(context, x, how)
    : roundedImage(context, x, how);
}

function resizeNode(context: CallContext, x: Operand, how: Resampling): Operand {
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

/** The scales and the sizes, one of which is absent: scales say with one constant what is open. */
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
  const { call, ints: list } = context;
  const dims = resultDims(context);
  const sizes = dims.filter(isStaticDim);
  if (sizes.length === dims.length) return list(sizes);
  const shape = call('shape_of', [x], { dtype: 'int64' });
  const batch = call('strided_slice', [shape], { begin: [0], end: [2] });
  return call('concatenate', [[batch, list(dims.slice(2).filter(isStaticDim))]], { axis: 0 });
}

/**
 * Images of integers, resized as floats and rounded: ONNX leaves the rounding open, and runtimes
 * truncate. A cubic resize may leave the range of the type, and bytes saturate.
 */
function roundedImage(context: CallContext, x: Operand, how: Resampling): Operand {
  const { call } = context;
  const dtype = context.dtype(x);
  const image = resizeNode(context, castTo(context, x, 'float32'), how);
  const rounded = call('floor', [call('add', [image, 0.5])]);
  const range = how.mode === 'cubic' ? RANGES[dtype] : undefined;
  return castTo(context, range ? call('clip', [rounded], range) : rounded, dtype);
}

/** The ranges of bytes. */
const RANGES: Readonly<Partial<Record<DType, { a_min: number; a_max: number }>>> = {
  int8: { a_min: -128, a_max: 127 },
  uint8: { a_min: 0, a_max: 255 },
};

/** The resampling of the operators `image.resize…`. */
export function imageResampling({ attrs }: CallContext): Resampling {
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
    const indices = call('reshape', [castTo(context, places, 'int64')], { newshape: [-1] });
    return call('take', [data, indices], { axis: i + 2 });
  }, x);
  return castTo(context, moved, resultDType(context));
}

/** The cropped region of all axes. */
function regionOf(
  context: CallContext,
  { coordinates, crop = [] }: Resampling,
): Operand | undefined {
  if (coordinates !== 'tf_crop_and_resize') return undefined;
  const [starts, ends] = [crop.slice(0, crop.length / 2), crop.slice(crop.length / 2)];
  const region = [0, 0, ...starts, 1, 1, ...ends];
  return context.constant(fromNumbers(Float64Array.from(region), [region.length], 'float32'));
}
