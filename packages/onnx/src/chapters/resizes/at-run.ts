/**
 * Resizes to sizes that only the run knows: the places of the data and their shares are computed axis
 * by axis, in float32 as the type of scales.
 */

import type { Expr } from '@baton/ir';
import { type DType, isFloat } from '@baton/tensor';
import type { NodeContext } from '../../operator-api/importer.ts';
import { asInt64, placesUpTo } from '../../shared/sizes.ts';
import { cast, reshape, take } from '../../shared/words.ts';
import type { Resampling } from './resampling.ts';

/** A size or a scale: a number if the import knows it. */
export type Amount = Expr | number;

/** An axis that a run resizes. */
export interface OpenAxis {
  readonly axis: number;
  readonly from: Amount;
  readonly to: Amount;
  readonly scale: Amount;
  /** The cropped part of the axis, from 0 to 1. */
  readonly part?: readonly [start: Amount, end: Amount];
}

/** The data with these axes resized; `extrapolation` is the value outside of a crop. */
export function resizedAtRun(
  context: NodeContext,
  x: Expr,
  axes: ReadonlyArray<OpenAxis>,
  how: Resampling,
  extrapolation: number,
): Expr | undefined {
  const { call } = context;
  const dtype = context.dtypeOf(x);
  const rank = context.dimsOf(x).length;
  const isMoved = how.mode === 'nearest';
  const wide = isMoved || dtype === 'float64' ? dtype : 'float32';
  let result = wide === dtype ? x : cast(context, x, wide);
  const outside: Expr[] = [];
  for (const axis of axes) {
    const at = sourceOf(context, axis, how);
    const last = call('subtract', [asFloat(context, axis.from), 1]);
    const taps = isMoved
      ? [{ place: nearest(context, at, axis.scale, how.nearestMode), share: undefined }]
      : tapsOf(context, at, last, axis, how);
    if (taps === undefined || context.hasFailed()) return undefined;
    result = combined(context, result, taps, { last, axis: axis.axis, rank, dtype: wide });
    if (how.coordinates === 'tf_crop_and_resize') {
      const beyond = [call('less', [at, 0]), call('greater', [at, last])];
      outside.push(alongAxis(context, call('logical_or', beyond), axis.axis, rank));
    }
  }
  const rounded = wide === dtype ? result : narrowed(context, result, dtype, how.mode);
  const value = context.scalar(extrapolation, dtype);
  return outside.reduce((data, cells) => call('where', [cells, value, data]), rounded);
}

/** A place of the data for each place of the result, and its share; all of it if there is none. */
interface Tap {
  readonly place: Expr;
  readonly share: Expr | undefined;
}

/** The axis on which taps are combined. */
interface TappedAxis {
  /** The last place of the data, as a float. */
  readonly last: Expr;
  readonly axis: number;
  readonly rank: number;
  readonly dtype: DType;
}

function combined(
  context: NodeContext,
  x: Expr,
  taps: ReadonlyArray<Tap>,
  { last, axis, rank, dtype }: TappedAxis,
): Expr {
  const { call, formula } = context;
  const parts = taps.map(({ place, share }) => {
    const inside = formula('minimum(maximum(?place, 0), ?last)', { place, last });
    const taken = take(context, x, cast(context, inside, 'int64'), axis);
    if (share === undefined) return taken;
    const factor = dtype === 'float32' ? share : cast(context, share, dtype);
    return call('multiply', [taken, alongAxis(context, factor, axis, rank)]);
  });
  return sumOf(context, parts);
}

const sumOf = (context: NodeContext, [first, ...others]: ReadonlyArray<Expr>): Expr =>
  others.reduce((a, b) => context.call('add', [a, b]), first ?? context.scalar(0, 'float32'));

/** A vector as data of this rank, along an axis. */
const alongAxis = (context: NodeContext, vector: Expr, axis: number, rank: number): Expr =>
  reshape(
    context,
    vector,
    Array.from({ length: rank }, (_, i) => (i === axis ? -1 : 1)),
  );

/** An amount as a float of rank 0. */
export function asFloat(context: NodeContext, amount: Amount): Expr {
  if (typeof amount === 'number') return context.scalar(Math.fround(amount), 'float32');
  const isFloat32 = context.dtypeOf(amount) === 'float32';
  return isFloat32 ? amount : cast(context, amount, 'float32');
}

/** The size that a scale makes of a size. */
export function scaledAtRun(context: NodeContext, from: Amount, scale: Amount): Amount {
  if (typeof from === 'number' && typeof scale === 'number') {
    return Math.floor(Math.fround(from * scale));
  }
  const product = context.call('multiply', [asFloat(context, from), asFloat(context, scale)]);
  return asInt64(context, cast(context, context.call('floor', [product]), 'int64'));
}

/**
 * The place in the data of each place of the result.
 *
 * **Source** ONNX Resize-19.
 */
function sourceOf(context: NodeContext, axis: OpenAxis, how: Resampling): Expr {
  const { call, formula } = context;
  const [from, to, scale] = [axis.from, axis.to, axis.scale].map((n) => asFloat(context, n));
  const [size, sizes, factor] = [from, to, scale] as readonly [Expr, Expr, Expr];
  const i = cast(context, placesUpTo(context, axis.to), 'float32');
  const end = (): Expr => formula('(?i + 0.5) / ?factor', { i, factor });
  const middle = (): Expr => call('subtract', [end(), 0.5]);
  const last = call('subtract', [size, 1]);
  switch (how.coordinates) {
    case 'align_corners': {
      const width = call('multiply', [factor, size]);
      const at = formula('?i * ?last / (?width - 1)', { i, last, width });
      return unlessOne(context, width, at, 0);
    }
    case 'asymmetric':
      return call('divide', [i, factor]);
    case 'tf_half_pixel_for_nn':
      return end();
    case 'pytorch_half_pixel':
      return unlessOne(context, sizes, middle(), 0);
    case 'half_pixel_symmetric': {
      const excess = formula('?sizes / (?factor * ?size)', { sizes, factor, size });
      const offset = formula('?size / 2 * (1 - ?excess)', { size, excess });
      return call('add', [offset, middle()]);
    }
    case 'tf_crop_and_resize': {
      const [start, stop] = (axis.part ?? [0, 1]).map((n) => asFloat(context, n));
      const [first, until] = [start, stop] as readonly [Expr, Expr];
      const width = formula('(?until - ?first) * ?last', { until, first, last });
      const step = formula('?width / (?sizes - 1)', { width, sizes });
      const at = formula('?first * ?last + ?i * ?step', { first, last, i, step });
      const centre = formula('(?first + ?until) * ?last * 0.5', { first, until, last });
      return unlessOne(context, sizes, at, centre);
    }
    default:
      return middle();
  }
}

/** The places, or one place if an axis has the size 1. */
function unlessOne(context: NodeContext, size: Expr, at: Expr, place: Amount): Expr {
  const one = typeof place === 'number' ? context.scalar(place, 'float32') : place;
  return context.formula('where(?size == 1, ?one, ?at)', { size, one, at });
}

/** The nearest places: `simple` ones are the next along axes that shrink, and those before along others. */
function nearest(context: NodeContext, at: Expr, scale: Amount, given: string): Expr {
  const { call, formula } = context;
  if (given === 'simple' && typeof scale !== 'number') {
    return formula('where(?scale >= 1, floor(?at), ceil(?at))', { scale, at });
  }
  const simple = typeof scale === 'number' && scale < 1 ? 'ceil' : 'floor';
  const mode = given === 'simple' ? simple : given;
  switch (mode) {
    case 'floor':
      return call('floor', [at]);
    case 'ceil':
      return call('ceil', [at]);
    case 'round_prefer_ceil':
      return formula('floor(?at + 0.5)', { at });
    default:
      return formula('ceil(?at - 0.5)', { at });
  }
}

/** The places around each place, and their shares. */
function tapsOf(
  context: NodeContext,
  at: Expr,
  last: Expr,
  { scale }: OpenAxis,
  how: Resampling,
): ReadonlyArray<Tap> | undefined {
  const { call, formula } = context;
  if (how.antialias && typeof scale !== 'number') {
    return context.unknown('expected an image of known size, or constant scales, with antialias');
  }
  const shrink = how.antialias && typeof scale === 'number' ? Math.min(scale, 1) : 1;
  const start = Math.floor(-(how.mode === 'linear' ? 1 : 2) / shrink) + 1;
  const base = formula('ceil(?at) - 1', { at });
  const rest = call('subtract', [at, base]);
  const taps = Array.from({ length: 2 - 2 * start }, (_, k) => {
    const place = call('add', [base, start + k]);
    const far = call('abs', [call('multiply', [call('subtract', [rest, start + k]), shrink])]);
    const share = how.mode === 'linear' ? triangle(context, far) : cubic(context, far, how.cubicA);
    if (!how.excludeOutside) return { place, share };
    const inside = [call('greater_equal', [place, 0]), call('less_equal', [place, last])];
    return {
      place,
      share: call('where', [call('logical_and', inside), share, context.scalar(0, 'float32')]),
    };
  });
  if (!how.excludeOutside && !how.antialias) return taps;
  const total = sumOf(
    context,
    taps.map(({ share }) => share),
  );
  return taps.map(({ place, share }) => ({ place, share: call('divide', [share, total]) }));
}

const triangle = ({ formula }: NodeContext, x: Expr): Expr => formula('maximum(1 - ?x, 0)', { x });

/** The weights of cubic interpolation (Keys, 1981). */
function cubic(context: NodeContext, x: Expr, a: number): Expr {
  const { formula } = context;
  /** A polynomial, by its coefficients from the highest power on. */
  const polynomial = (first: number, ...others: ReadonlyArray<number>): Expr =>
    others.reduce<Expr>(
      (sum, n) => formula('?sum * ?x + ?n', { sum, x, n }),
      context.scalar(first, 'float32'),
    );
  const near = polynomial(a + 2, -(a + 3), 0, 1);
  const far = polynomial(a, -5 * a, 8 * a, -4 * a);
  const none = context.scalar(0, 'float32');
  const outer = formula('where(?x < 2, ?far, ?none)', { x, far, none });
  return formula('where(?x <= 1, ?near, ?outer)', { x, near, outer });
}

/** The image in its own type: integers are rounded, and bytes saturate. */
function narrowed(context: NodeContext, x: Expr, dtype: DType, mode: string): Expr {
  const { call, formula } = context;
  if (isFloat(dtype)) return cast(context, x, dtype);
  const rounded = formula('floor(?x + 0.5)', { x });
  const range = mode === 'cubic' ? RANGES[dtype] : undefined;
  const limited = range === undefined ? rounded : call('clip', [rounded], range);
  return cast(context, limited, dtype);
}

/** The ranges of bytes. */
const RANGES: Readonly<Partial<Record<DType, { readonly a_min: number; readonly a_max: number }>>> =
  {
    int8: { a_min: -128, a_max: 127 },
    uint8: { a_min: 0, a_max: 255 },
  };
