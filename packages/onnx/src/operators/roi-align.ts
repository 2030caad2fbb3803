/** `RoiAlign`: means, or maxima, of samples at regular places in regions of images. */
import type { Expr } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { asType } from '../families/quantization.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const roiAlign: OnnxImporter = {
  opType: 'RoiAlign',
  convert: (context) => {
    if (context.attributes.string('mode') === 'avg' && !isHalfPixel(context)) {
      return betweenWholePlaces(context);
    }
    const { attributes, call, input } = context;
    const [, channels, high, wide] = context.dimsOf(input(0));
    const each = attributes.int('sampling_ratio');
    const mode = attributes.string('mode');
    if (context.hasFailed()) return undefined;
    if (typeof channels !== 'number' || typeof high !== 'number' || typeof wide !== 'number') {
      return context.unknown('expected images of known size');
    }
    if (each <= 0 || !['avg', 'max'].includes(mode)) {
      return context.fail('ONNX_UNSUPPORTED', 'expected a sampling ratio, and mode avg or max');
    }
    const [rows, columns] = [attributes.int('output_height'), attributes.int('output_width')];
    if (!isBounded(context, [rows, columns], each)) return undefined;
    const y = samples(context, { first: 1, count: rows, each, size: high, axis: 2 });
    const x = samples(context, { first: 0, count: columns, each, size: wide, axis: 1 });
    const data = call('transpose', [input(0)], { axes: [0, 2, 3, 1] });
    const image = call('reshape', [asType(context, input(2), 'int64')], { newshape: [-1, 1, 1] });
    /** The samples that lie between four places are the sums of their shares. */
    const shares = y.flatMap((row) =>
      x.map((column) => {
        const blank = call('multiply', [call('add', [row.place, column.place]), 0]);
        const places = [image, row.place, column.place].map((at) => call('add', [at, blank]));
        const indices = call('stack', [context.tuple(places)], { axis: 0 });
        const weight = call('multiply', [row.weight, column.weight]);
        const value = call('gather_nd', [data, indices]);
        return call('multiply', [value, call('expand_dims', [weight], { axis: 3 })]);
      }),
    );
    const join = mode === 'avg' ? 'add' : 'maximum';
    const all = shares.reduce((sum, share) => call(join, [sum, share]));
    const newshape = [-1, rows, each, columns, each, channels];
    const cells = call('reshape', [all], { newshape });
    const found = call(mode === 'avg' ? 'mean' : 'max', [cells], { axis: [2, 4] });
    return call('transpose', [found], { axes: [0, 3, 1, 2] });
  },
};

/** Whether places are the middles of cells. */
function isHalfPixel({ attributes, version }: NodeContext): boolean {
  const usual = version < 16 ? 'output_half_pixel' : 'half_pixel';
  return attributes.string('coordinate_transformation_mode', usual) === 'half_pixel';
}

/** Relay's operator, whose regions have the numbers of their images before their corners. */
function betweenWholePlaces(context: NodeContext): Expr | undefined {
  const { attributes, call, input } = context;
  const size = [attributes.int('output_height'), attributes.int('output_width')];
  const each = attributes.int('sampling_ratio');
  if (!isBounded(context, size, Math.max(each, 1))) return undefined;
  const images = asType(context, input(2), context.dtypeOf(input(1)));
  const numbered = context.tuple([call('expand_dims', [images], { axis: 1 }), input(1)]);
  return call('vision.roi_align', [input(0), call('concatenate', [numbered], { axis: 1 })], {
    pooled_size: size,
    spatial_scale: attributes.float('spatial_scale'),
    sample_ratio: each,
  });
}

/** Whether a region has few enough samples; reports if not. */
function isBounded(context: NodeContext, size: ReadonlyArray<number>, each: number): boolean {
  const samples = size.reduce((count, cells) => count * cells * each, 1);
  if (size.every((cells) => cells >= 1) && samples <= MAX_SAMPLES) return true;
  context.fail('ONNX_UNSUPPORTED', `expected 1 to ${MAX_SAMPLES} samples of a region`);
  return false;
}

/** The most samples of a region. */
const MAX_SAMPLES = 2 ** 16;

/** The samples along one axis of the image. */
interface Along {
  /** The column of the regions with their begin along the axis; two further is their end. */
  readonly first: number;
  /** The cells of a region, and the samples in each. */
  readonly count: number;
  readonly each: number;
  readonly size: number;
  /** The axis of a result that has one entry. */
  readonly axis: number;
}

/** The places before and behind each sample, and their weights: 0 beyond the image. */
function samples(
  context: NodeContext,
  { first, count, each, size, axis }: Along,
): ReadonlyArray<{ readonly place: Expr; readonly weight: Expr }> {
  const { attributes, call } = context;
  const regions = context.input(1);
  const isHalf = isHalfPixel(context);
  const border = (column: number): Expr => {
    const bounds = { begin: [column], end: [column + 1], axes: [1] };
    const given = call('strided_slice', [regions], bounds);
    const scaled = call('multiply', [given, attributes.float('spatial_scale')]);
    return isHalf ? call('subtract', [scaled, 0.5]) : scaled;
  };
  const begin = border(first);
  const length = call('subtract', [border(first + 2), begin]);
  const cell = call('divide', [isHalf ? length : call('maximum', [length, 1]), count]);
  context.room(count, each);
  const steps = Array.from({ length: count * each }, (_, k) => (k + 0.5) / each);
  const inCells = context.constant(
    fromNumbers(Float64Array.from(steps), [1, steps.length], context.dtypeOf(regions)),
  );
  const at = call('add', [begin, call('multiply', [cell, inCells])]);
  const isInside = call('logical_and', [
    call('greater_equal', [at, -1]),
    call('less_equal', [at, size]),
  ]);
  const bounded = call('clip', [at], { a_min: 0, a_max: size - 1 });
  const low = call('floor', [bounded]);
  const part = call('subtract', [bounded, low]);
  const next = call('minimum', [call('add', [low, 1]), size - 1]);
  const wide = (value: Expr): Expr => call('expand_dims', [value], { axis });
  const entry = (place: Expr, weight: Expr) => ({
    place: wide(asType(context, place, 'int64')),
    weight: wide(call('where', [isInside, weight, 0])),
  });
  return [entry(low, call('subtract', [1, part])), entry(next, part)];
}
