import { type Dim, tensorType } from '@baton/ir';
import { int, int64, list, oneOf, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { knownSizes, looksAt } from '../../form/views.ts';
import { sliced } from '../../moves.ts';
import { normalAxes, ofTensor, report } from '../../relation/known.ts';
import { openSliceDim, sliceBounds, sliceRange, sliceRanges } from '../../relation/slice.ts';
import { toldAsIs } from '../../relay-text.ts';
import { keepsAxes } from '../../relayout/rules.ts';

export const stridedSlice = defineOp({
  name: 'strided_slice',
  doc: 'A strided slice; bounds are clamped as in Python.',
  source: 'operators §4; Relay v0.14 strided_slice',
  attrs: attrs({
    begin: list(int64),
    end: list(int64),
    strides: withDefault(list(int), [1]),
    slice_mode: withDefault(oneOf('end', 'size'), 'end'),
    axes: withDefault(orNone(list(int)), null),
  }),
  relation: ofTensor((data, attrs, context) => {
    const rank = data.shape.length;
    const { axes, begin, end, strides } = attrs;
    const most = axes === null ? rank : axes.length;
    if (axes !== null && normalAxes(axes, rank, context) === undefined) return undefined;
    if (begin.length > most || end.length > most || strides.length > Math.max(most, 1)) {
      return report(context, badAttr('begin', `at most ${most} bounds are expected`));
    }
    if (axes !== null && (begin.length !== most || end.length !== most)) {
      return report(context, badAttr('axes', 'begin and end are as long as axes'));
    }
    if (strides.includes(0)) return report(context, badAttr('strides', 'a step is not 0'));
    const dims: Dim[] = [];
    for (const [axis, bounds] of sliceBounds(attrs, rank).entries()) {
      const dim = data.shape[axis] as Dim;
      if (typeof dim !== 'number') {
        dims.push(openSliceDim(dim, bounds, attrs.slice_mode));
        continue;
      }
      const range = sliceRange(dim, bounds);
      if (range === undefined) {
        return report(context, badExtent(`axis ${axis}`, 'the slice begins past its end'));
      }
      dims.push(range.size);
    }
    return tensorType(dims, data.dtype);
  }),
  form: {
    _tag: 'View',
    views: ({ attrs, given: [shape] }) => {
      const sizes = knownSizes(shape);
      const ranges = sizes && sliceRanges(attrs, sizes);
      const along = (part: 'begin' | 'size' | 'stride') =>
        ranges?.map((range) => range[part]) ?? [];
      return ranges && looksAt(sliced(along('begin'), along('size'), along('stride')));
    },
  },
  relayout: keepsAxes,
  gradient: ({ args: [x], g, attrs: given, sizes, op, zerosLike, integers }) => {
    const ranges = sliceRanges(given, sizes(0)) ?? [];
    const last = ranges.map(({ begin, size, stride }) => begin + (size - 1) * stride);
    const end = ranges.map(({ begin, size, stride }, i) => {
      if (size === 0) return begin;
      const next = (last[i] ?? 0) + Math.sign(stride);
      // Before the first element: below every index that counts from the end.
      return next < 0 ? -1 - (sizes(0)[i] ?? 0) : next;
    });
    const bounds = [ranges.map(({ begin }) => begin), end, ranges.map(({ stride }) => stride)];
    return [op('strided_set', [zerosLike(x), g, ...bounds.map(integers)])];
  },
  relayText: { told: toldAsIs('strides', 'axes') },
  quantizing: 'movement',
  examples: [
    { args: [f32(5, 7)], attrs: { begin: [1], end: [4] }, result: f32(3, 7) },
    {
      args: [f32(5, 7)],
      attrs: { begin: [-1, 0], end: [-6, 100], strides: [-2, 3] },
      result: f32(3, 3),
    },
    {
      args: [f32(5, 7)],
      attrs: { begin: [3], end: [9223372036854775807n] },
      result: f32(2, 7),
    },
    {
      args: [f32(5, 7)],
      attrs: { begin: [2], end: [-1], slice_mode: 'size', axes: [1] },
      result: f32(5, 5),
    },
  ],
});
