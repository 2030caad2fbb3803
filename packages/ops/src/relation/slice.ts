/** The ranges of strided slices. */
import { anyDim, type Dim } from '@baton/ir';

/** Missing bounds extend to the end of the axis. */
export interface SliceBounds {
  readonly begin: number | undefined;
  readonly end: number | undefined;
  readonly stride: number;
}

/** The selected elements of an axis: `begin`, `begin + stride`, … */
export interface SliceRange {
  readonly begin: number;
  readonly size: number;
  readonly stride: number;
}

/** An end may be the largest integer: to the end of the axis. */
export interface SliceAttrs {
  readonly begin: ReadonlyArray<number | bigint>;
  readonly end: ReadonlyArray<number | bigint>;
  readonly strides: ReadonlyArray<number>;
  readonly slice_mode: 'end' | 'size';
  readonly axes: ReadonlyArray<number> | null;
}

/**
 * The bounds of each axis. `axes` have been checked. In mode `size` an end is a length, -1 for the
 * entire rest, and strides are ignored.
 */
export function sliceBounds(attrs: SliceAttrs, rank: number): ReadonlyArray<SliceBounds> {
  const axes = attrs.axes?.map((axis) => (axis < 0 ? axis + rank : axis));
  return Array.from({ length: rank }, (_, axis) => {
    const at = axes === undefined ? axis : axes.indexOf(axis);
    const begin = boundAt(attrs.begin, at);
    const end = boundAt(attrs.end, at);
    if (attrs.slice_mode === 'end') {
      return { begin, end, stride: (at < 0 ? undefined : attrs.strides[at]) ?? 1 };
    }
    if (end === undefined || end < 0) return { begin, end: undefined, stride: 1 };
    return { begin, end: (begin ?? 0) + end, stride: 1 };
  });
}

/** A bound as a number: a rounded one is so far past every axis that it is clamped. */
function boundAt(bounds: ReadonlyArray<number | bigint>, at: number): number | undefined {
  const bound = bounds[at];
  return bound === undefined ? undefined : Number(bound);
}

/**
 * The range within an axis of `dim` elements, clamped as in Python. `undefined` if it begins past
 * its end, in the direction of the stride.
 */
export function sliceRange(dim: number, bounds: SliceBounds): SliceRange | undefined {
  const { stride } = bounds;
  const backwards = stride < 0;
  const [least, most] = backwards ? [-1, dim - 1] : [0, dim];
  const place = (index: number | undefined, missing: number): number => {
    if (index === undefined) return missing;
    return Math.min(Math.max(index < 0 ? index + dim : index, least), most);
  };
  const begin = place(bounds.begin, backwards ? dim - 1 : 0);
  const end = place(bounds.end, backwards ? -1 : dim);
  const span = backwards ? begin - end : end - begin;
  if (span < 0) return undefined;
  return { begin, size: Math.ceil(span / Math.abs(stride)), stride };
}

/** `undefined` unless the range of each axis begins before its end. */
export function sliceRanges(
  attrs: SliceAttrs,
  shape: ReadonlyArray<number>,
): ReadonlyArray<SliceRange> | undefined {
  const bounds = sliceBounds(attrs, shape.length);
  const ranges = shape.map((dim, axis) => sliceRange(dim, bounds[axis] as SliceBounds));
  const known = ranges.filter((range) => range !== undefined);
  return known.length === ranges.length ? known : undefined;
}

/** The size of a slice of an axis of symbolic size. */
export function openSliceDim(dim: Dim, bounds: SliceBounds, mode: 'end' | 'size'): Dim {
  const { begin, end, stride } = bounds;
  if (end === undefined && (begin ?? 0) === 0 && stride === 1) return dim;
  const size = mode === 'size' && end !== undefined ? end - (begin ?? 0) : Number.NaN;
  return Number.isSafeInteger(size) ? size : anyDim;
}

/** The range within an axis of `dim` elements, clamped as in ONNX: it may be empty. */
export function clampedRange(dim: number, begin: number, end: number, stride: number): SliceRange {
  const [most, least] = stride < 0 ? [dim - 1, -1] : [dim, 0];
  const place = (index: number, low: number): number =>
    Math.min(Math.max(index < 0 ? index + dim : index, low), most);
  const first = place(begin, 0);
  const size = Math.max(0, Math.ceil((place(end, least) - first) / stride));
  return { begin: size === 0 ? 0 : first, size, stride };
}
