/**
 * Resizes to sizes that only the run knows: the places of the data and their shares are computed axis
 * by axis, in float32 as the type of scales.
 */

import type { Expr } from '@baton/ir';
import { type DType, fromNumbers, isFloat } from '@baton/tensor';
import type { NodeContext } from '../../operator-api/importer.ts';
import { ofType } from '../../shared/element-types.ts';
import { placesUpTo } from '../../shared/sizes.ts';
import { cast, plus, range, reshape } from '../../shared/words.ts';

/** How an image is resampled: modes as in the attributes of `Resize`. */
export interface Resampling {
  readonly mode: 'nearest' | 'linear' | 'cubic';
  readonly coordinates: string;
  readonly nearestMode: string;
  readonly cubicA: number;
  readonly excludeOutside: boolean;
  readonly antialias: boolean;
}

/** The nearest places of operator set 10: the next along axes that shrink, else those before. */
export const SIMPLE = 'simple';

/** The most places that the import computes, of a size that it knows. */
export const MAX_LISTED = 4096;

/** A size or a scale: a number if the import knows it. */
export type Amount = Expr | number;

export interface OpenAxis {
  readonly axis: number;
  readonly from: Amount;
  readonly to: Amount;
  readonly scale: Amount;
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
  const { formula } = context;
  const dtype = context.dtypeOf(x);
  const rank = context.dimsOf(x).length;
  const isMoved = how.mode === 'nearest';
  const wide = isMoved || dtype === 'float64' ? dtype : 'float32';
  let result = ofType(context, x, wide);
  const outside: Expr[] = [];
  for (const axis of axes) {
    const at = sourceOf(context, axis, how);
    const last = formula('?size - 1', { size: asFloat(context, axis.from) });
    const tapped = { at, last, axis: axis.axis, rank, scale: axis.scale, dtype: wide };
    const resample = isMoved ? taken : how.antialias ? smoothed : combined;
    result = resample(context, result, tapped, how);
    if (context.hasFailed()) return undefined;
    if (how.coordinates === 'tf_crop_and_resize') {
      const beyond = formula('logical_or(?at < 0, ?at > ?last)', { at, last });
      outside.push(alongAxis(context, beyond, axis.axis, rank));
    }
  }
  const rounded = wide === dtype ? result : narrowed(context, result, dtype, how.mode);
  const value = context.scalar(extrapolation, dtype);
  return outside.reduce(
    (data, cells) => formula('where(?cells, ?value, ?data)', { cells, value, data }),
    rounded,
  );
}

/** Places within the data. */
const PLACES = 'cast(minimum(maximum(?place, 0), ?last), dtype="int64")';

/** A place of the data for each place of the result, and its share. */
interface Tap {
  readonly place: Expr;
  readonly share: Expr;
}

interface TappedAxis extends Pick<OpenAxis, 'axis' | 'scale'> {
  /** The place in the data of each place of the result, and the last place of the data. */
  readonly at: Expr;
  readonly last: Expr;
  readonly rank: number;
  readonly dtype: DType;
}

function taken(context: NodeContext, x: Expr, axis: TappedAxis, how: Resampling): Expr {
  const place = nearest(context, axis.at, axis.scale, how.nearestMode);
  return takenAt(context, x, place, axis);
}

/** The nearest places of the data along an axis, as int64. */
export function placesAt(context: NodeContext, axis: OpenAxis, how: Resampling): Expr {
  const last = context.formula('?size - 1', { size: asFloat(context, axis.from) });
  const place = nearest(context, sourceOf(context, axis, how), axis.scale, how.nearestMode);
  return context.formula(PLACES, { place, last });
}

const takenAt = ({ formula }: NodeContext, x: Expr, place: Expr, { last, axis }: TappedAxis) =>
  formula(`take(?x, ${PLACES}, axis=?axis)`, { x, place, last, axis });

function combined(context: NodeContext, x: Expr, tapped: TappedAxis, how: Resampling): Expr {
  const { axis, rank, dtype } = tapped;
  const parts = tapsOf(context, tapped, how).map(({ place, share }) =>
    context.formula('?taken * ?factor', {
      taken: takenAt(context, x, place, tapped),
      factor: alongAxis(context, ofType(context, share, dtype), axis, rank),
    }),
  );
  return sumOf(context, parts);
}

const sumOf = (context: NodeContext, [first, ...others]: ReadonlyArray<Expr>): Expr =>
  others.reduce((a, b) => plus(context, a, b), first ?? context.scalar(0, 'float32'));

const alongAxis = (context: NodeContext, vector: Expr, axis: number, rank: number): Expr =>
  reshape(
    context,
    vector,
    range(0, rank).map((i) => (i === axis ? -1 : 1)),
  );

export const asFloat = (context: NodeContext, amount: Amount): Expr =>
  typeof amount === 'number'
    ? context.scalar(Math.fround(amount), 'float32')
    : ofType(context, amount, 'float32');

export function scaledAtRun(context: NodeContext, from: Amount, scale: Amount): Amount {
  if (typeof from === 'number' && typeof scale === 'number') {
    return Math.floor(Math.fround(from * scale));
  }
  const [size, factor] = [asFloat(context, from), asFloat(context, scale)];
  return context.formula('cast(floor(?size * ?factor), dtype="int64")', { size, factor });
}

/**
 * The place in the data of each place of the result.
 *
 * **Source** ONNX Resize-19.
 */
function sourceOf(context: NodeContext, axis: OpenAxis, how: Resampling): Expr {
  const { from, to, scale, part: [start, end] = [0, 1] } = axis;
  const [size, sizes, factor, first, until] = [from, to, scale, start, end].map((n) =>
    asFloat(context, n),
  );
  const i =
    typeof to === 'number' && to <= MAX_LISTED
      ? context.computed(fromNumbers(Float64Array.from(range(0, to)), [to], 'float32'))
      : cast(context, placesUpTo(context, to), 'float32');
  const text: string = SOURCES[how.coordinates] ?? MIDDLE;
  return context.formula(text, { i, size, sizes, factor, first, until });
}

const MIDDLE = '(?i + 0.5) / ?factor - 0.5';

/** Formulas of the index `i`, the factor, and the sizes before and after, by mode. */
const SOURCES: Readonly<Partial<Record<string, string>>> = {
  align_corners: '%0 = ?factor * ?size; where(%0 == 1, 0, ?i * (?size - 1) / (%0 - 1))',
  asymmetric: '?i / ?factor',
  tf_half_pixel_for_nn: '(?i + 0.5) / ?factor',
  pytorch_half_pixel: `where(?sizes == 1, 0, ${MIDDLE})`,
  half_pixel_symmetric: `?size / 2 * (1 - ?sizes / (?factor * ?size)) + (${MIDDLE})`,
  tf_crop_and_resize: `
    %0 = ?size - 1;
    %1 = ?first * %0 + ?i * ((?until - ?first) * %0 / (?sizes - 1));
    where(?sizes == 1, (?first + ?until) * %0 * 0.5, %1)`,
};

function nearest({ formula }: NodeContext, at: Expr, scale: Amount, given: string): Expr {
  if (given === SIMPLE && typeof scale !== 'number') {
    return formula('where(?scale >= 1, floor(?at), ceil(?at))', { scale, at });
  }
  const simple = typeof scale === 'number' && scale < 1 ? 'ceil' : 'floor';
  return formula(ROUNDINGS[given === SIMPLE ? simple : given] ?? 'ceil(?at - 0.5)', { at });
}

const ROUNDINGS: Readonly<Partial<Record<string, string>>> = {
  floor: 'floor(?at)',
  ceil: 'ceil(?at)',
  round_prefer_ceil: 'floor(?at + 0.5)',
};

function tapsOf(
  context: NodeContext,
  { at, last }: TappedAxis,
  how: Resampling,
): ReadonlyArray<Tap> {
  const { formula } = context;
  const radius = radiusOf(how);
  const base = formula('ceil(?at) - 1', { at });
  const rest = formula('?at - ?base', { at, base });
  const taps = range(1 - radius, radius + 1).map((k) => {
    const place = formula('?base + ?k', { base, k });
    return {
      place,
      share: shareOf(context, place, formula('abs(?rest - ?k)', { rest, k }), last, how),
    };
  });
  if (!how.excludeOutside) return taps;
  const total = sumOf(
    context,
    taps.map(({ share }) => share),
  );
  return taps.map(({ place, share }) => ({
    place,
    share: formula('?share / ?total', { share, total }),
  }));
}

/**
 * The axis resized by a kernel as wide as the steps, against aliasing: places and shares are matrices
 * with a row for each place of the result.
 */
function smoothed(
  context: NodeContext,
  x: Expr,
  { at, scale, last, axis, rank, dtype }: TappedAxis,
  how: Resampling,
): Expr {
  const { formula } = context;
  const shrink = formula('minimum(?factor, 1)', { factor: asFloat(context, scale) });
  const text = `
    %0 = cast(floor(?reach / ?shrink), dtype="int64") + 1;
    %1 = cast(arange(%0, 2 - %0, 1i64, dtype="int64"), dtype="float32");
    ceil(expand_dims(?at, axis=1)) - 1 + %1`;
  const place = formula(text, { reach: -radiusOf(how), shrink, at });
  const far = formula('abs((expand_dims(?at, axis=1) - ?place) * ?shrink)', { at, place, shrink });
  const share = shareOf(context, place, far, last, how);
  const whole = `
    %0 = cast(?share / sum(?share, axis=[1], keepdims=True), dtype=?dtype);
    %1 = expand_dims(%0, axis=2, num_newaxis=?others);
    sum(take(?x, ${PLACES}, axis=?axis) * %1, axis=?taps)`;
  const axes = { axis, taps: [axis + 1], others: rank - 1 - axis };
  return formula(whole, { share, dtype, x, place, last, ...axes });
}

const radiusOf = ({ mode }: Resampling): number => (mode === 'linear' ? 1 : 2);

/** The share of places at a distance from where they are taken. */
function shareOf(
  context: NodeContext,
  place: Expr,
  far: Expr,
  last: Expr,
  { mode, cubicA, excludeOutside }: Resampling,
): Expr {
  const { formula } = context;
  const share =
    mode === 'linear' ? formula('maximum(1 - ?far, 0)', { far }) : cubic(context, far, cubicA);
  const text = 'where(logical_and(?place >= 0, ?place <= ?last), ?share, 0)';
  return excludeOutside ? formula(text, { place, last, share }) : share;
}

/** The weights of cubic interpolation (Keys, 1981). */
const cubic = ({ formula }: NodeContext, x: Expr, a: number): Expr =>
  formula(
    `
    %0 = ((?near3 * ?x + ?near2) * ?x + 0) * ?x + 1;
    %1 = ((?a * ?x + ?far2) * ?x + ?far1) * ?x + ?far0;
    where(?x <= 1, %0, where(?x < 2, %1, 0))`,
    { x, a, near3: a + 2, near2: -(a + 3), far2: -5 * a, far1: 8 * a, far0: -4 * a },
  );

/** The image in its own type: integers are rounded, and bytes saturate. */
function narrowed(context: NodeContext, x: Expr, dtype: DType, mode: string): Expr {
  if (isFloat(dtype)) return cast(context, x, dtype);
  const rounded = context.formula('floor(?x + 0.5)', { x });
  const range = mode === 'cubic' ? BYTE_RANGES[dtype] : undefined;
  return cast(
    context,
    range === undefined ? rounded : context.call('clip', [rounded], range),
    dtype,
  );
}

export const BYTE_RANGES: Readonly<Partial<Record<DType, { a_min: number; a_max: number }>>> = {
  int8: { a_min: -128, a_max: 127 },
  uint8: { a_min: 0, a_max: 255 },
};
