/** `strided_slice`: bounds of some axes are inputs. */
import { type Dim, isStaticDim } from '@baton/ir';
import { type SliceAttrs, type SliceBounds, sliceBounds, sliceRange } from '@baton/ops';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const stridedSlice: OnnxExporter = formula('strided_slice', (context, x) => {
  const dims = context.dims(x);
  const bounds = sliceBounds(context.attrs.all as unknown as SliceAttrs, dims.length);
  const ranges = bounds.flatMap((bound, axis) => rangeOf(bound, dims[axis], axis));
  if (ranges.length === 0) return context.node('Identity', [x]);
  const list = (of: (range: Range) => number) => context.ints(ranges.map(of));
  return context.node('Slice', [
    x,
    list(({ begin }) => begin),
    list(({ end }) => end),
    list(({ axis }) => axis),
    list(({ stride }) => stride),
  ]);
});

interface Range {
  readonly axis: number;
  readonly begin: number;
  readonly end: number;
  readonly stride: number;
}

/** Beyond every axis. */
const FAR = 2 ** 31 - 1;

/** The range of one axis; none if all of it is taken. An end before the axis lies far before it. */
function rangeOf(bounds: SliceBounds, dim: Dim | undefined, axis: number): ReadonlyArray<Range> {
  const { stride } = bounds;
  if (dim !== undefined && isStaticDim(dim)) {
    const range = sliceRange(dim, bounds);
    if (range === undefined || (range.begin === 0 && range.size === dim && stride === 1)) return [];
    const end = range.begin + range.size * stride;
    return [{ axis, begin: range.begin, end: end < 0 ? -FAR : end, stride }];
  }
  const isAll = (bounds.begin ?? 0) === 0 && bounds.end === undefined && stride === 1;
  const within = (bound: number): number => Math.min(FAR, Math.max(-FAR, bound));
  const begin = bounds.begin ?? (stride < 0 ? FAR : 0);
  const end = bounds.end ?? (stride < 0 ? -FAR : FAR);
  return isAll ? [] : [{ axis, begin: within(begin), end: within(end), stride }];
}
