/** Images that an operator of images resizes. */

import type { Expr } from '@baton/ir';
import { fromNumbers, tensorsEqual } from '@baton/tensor';
import type { NodeContext } from '../../operator-api/importer.ts';
import { range } from '../../shared/words.ts';
import { MAX_LISTED, type OpenAxis, placesAt, type Resampling, SIMPLE } from './at-run.ts';

interface KnownAxis {
  readonly axis: number;
  readonly from: number;
  readonly to: number;
  readonly scale: number;
  readonly part?: readonly [start: number, end: number];
}

/** The call of the operator for images; `undefined` if it does not say the same. */
export function image(
  context: NodeContext,
  x: Expr,
  axes: ReadonlyArray<OpenAxis>,
  how: Resampling,
  extrapolation_value: number,
): Expr | undefined {
  const dims = context.dimsOf(x);
  const known = axes.filter(isKnown);
  const size = dims.slice(2).map((dim, i) => known.find((a) => a.axis === i + 2)?.to ?? dim);
  const sizes = size.filter((dim) => typeof dim === 'number');
  const isImage = dims.length >= 3 && dims.length <= 5 && sizes.length === dims.length - 2;
  const isWhole = known.every((a) => a.axis >= 2 || keepsAxis(a));
  const isExact = known.every((a) => Math.abs(a.scale * a.from - a.to) < 1e-6 * a.to);
  const isSaid = !how.antialias && how.nearestMode !== SIMPLE;
  if (!isImage || !isWhole || !isExact || known.length < axes.length || !isSaid) {
    return undefined;
  }
  const isSymmetric = how.coordinates === 'half_pixel_symmetric';
  const part = (axis: number) => known.find((a) => a.axis === axis)?.part ?? [0, 1];
  const parts = range(2, dims.length).map(part);
  const attrs = {
    size: sizes,
    roi: known.some((a) => a.part) ? [0, 1].flatMap((end) => parts.map((p) => p[end] ?? 0)) : null,
    method: { nearest: 'nearest_neighbor', linear: 'linear', cubic: 'cubic' }[how.mode],
    coordinate_transformation_mode: isSymmetric ? 'half_pixel' : how.coordinates,
    rounding_method: how.nearestMode,
    cubic_alpha: how.cubicA,
    cubic_exclude: how.excludeOutside ? 1 : 0,
    extrapolation_value,
  };
  return known.every((a) => isAsSized(context, a, how, attrs))
    ? context.call(`image.resize${sizes.length}d`, [x], attrs)
    : undefined;
}

const isKnown = (axis: OpenAxis): axis is KnownAxis =>
  [axis.from, axis.to, axis.scale, ...(axis.part ?? [])].every((n) => typeof n === 'number');

const keepsAxis = ({ from, to, part: [start, end] = [0, 1] }: KnownAxis): boolean =>
  from === to && start === 0 && end === 1;

/**
 * Whether the places by the scale are those by the sizes, which the operators for images compute with: of
 * scales that float32 rounds, such as 7/3, some lie across a border.
 */
function isAsSized(
  context: NodeContext,
  axis: KnownAxis,
  how: Resampling,
  attrs: Readonly<Record<string, unknown>>,
): boolean {
  const { from, to, scale } = axis;
  if (how.mode !== 'nearest' || scale === to / from) return true;
  if (from > MAX_LISTED) return false;
  const ramp = context.computed(
    fromNumbers(Float64Array.from(range(0, from)), [1, 1, from], 'float32'),
  );
  const own = { ...attrs, size: [to], roi: null };
  const bySize = context.formula(
    'cast(reshape(image.resize1d(?ramp, attrs=?own), newshape=[-1]), dtype="int64")',
    {
      ramp,
      own,
    },
  );
  const [a, b] = [bySize, placesAt(context, axis, how)].map(context.valueOf);
  return a !== undefined && b !== undefined && tensorsEqual(a, b);
}

/**
 * Whether the result has the sizes of the data. Before operator set 11, which states coordinates, it
 * then is the data, whatever the scales.
 */
export const keepsSizes = (axes: ReadonlyArray<OpenAxis>): boolean =>
  axes.every(({ from, to }) => from === to);

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
