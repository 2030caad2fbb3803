/** The weights by which ONNX resizes one axis. */

/** The interpolation between places. */
export type ResampleMode = 'nearest' | 'linear' | 'cubic';

/** The attributes of `Resize` for all axes. */
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
export function resampleWeights(axis: ResampledAxis, how: Resampling): Float64Array {
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
