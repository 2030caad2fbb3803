import type { Expr } from '@baton/ir';
import { anyDim, type Dim, isStaticDim, tensorType } from '@baton/ir';
import { sliceView, tensor, toNumbers } from '@baton/tensor';
import { int, list, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { movedBack } from '../../gradient/places.ts';
import {
  areFewDims,
  hasRank,
  inDomain,
  normalAxes,
  report,
  tensorArg,
} from '../../relation/known.ts';
import { clampedRange, type SliceRange } from '../../relation/slice.ts';

export const dynStridedSlice = defineOp({
  name: 'dyn.strided_slice',
  doc: 'A strided slice; the bounds of the first axes, or of `axes`, are vectors.',
  source: 'operators §4; Relay v0.14 dyn.strided_slice',
  inputs: ['data', 'begin', 'end', 'strides'],
  attrs: attrs({ axes: withDefault(orNone(list(int)), null) }),
  relation: (args, { axes }, context) => {
    const data = tensorArg(args, 0, context);
    if (data === undefined) return undefined;
    const counts: number[] = [];
    for (const [i, name] of BOUNDS.entries()) {
      const bound = tensorArg(args, i + 1, context);
      if (bound === undefined || !inDomain(bound.dtype, 'int', context)) return undefined;
      if (!hasRank(bound, `\`${name}\``, [1], context)) return undefined;
      const [count] = bound.shape;
      if (count === undefined || !isStaticDim(count)) {
        return report(context, badExtent(`\`${name}\``, 'its number of elements must be known'));
      }
      counts.push(count);
    }
    const rank = data.shape.length;
    const count = counts[0] ?? 0;
    if (!areFewDims(count, context)) return undefined;
    const normal = normalAxes(axes ?? Array.from({ length: count }, (_, i) => i), rank, context);
    if (normal === undefined) return undefined;
    if (counts.some((other) => other !== normal.length)) {
      return report(context, badAttr('axes', 'every axis has a begin, an end and a stride'));
    }
    const values = BOUNDS.map((_, i) => context.constant(i + 1));
    const [begin, end, strides] = values.map((value) => value && Array.from(toNumbers(value)));
    if (strides?.includes(0)) return report(context, badExtent('a slice', 'a step is not 0'));
    const dims: Dim[] = data.shape.map((dim, axis) => {
      const at = normal.indexOf(axis);
      if (at < 0) return dim;
      const [from, to, step] = [begin?.[at], end?.[at], strides?.[at]];
      const isKnown = from !== undefined && to !== undefined && step !== undefined;
      return isKnown && isStaticDim(dim) ? clampedRange(dim, from, to, step).size : anyDim;
    });
    return tensorType(dims, data.dtype);
  },
  kernel: (args, { axes }) => {
    const data = args.tensor(0);
    const [begin, end, strides] = BOUNDS.map((_, i) => toNumbers(args.tensor(i + 1)));
    const rank = data.shape.length;
    const ranges = data.shape.map((dim, axis): SliceRange => {
      const at = (axes ?? data.shape.map((_, i) => i)).findIndex(
        (a) => (a < 0 ? a + rank : a) === axis,
      );
      const [from, to, step] = [begin?.[at], end?.[at], strides?.[at]];
      const isWhole = at < 0 || from === undefined || to === undefined || step === undefined;
      return isWhole ? { begin: 0, size: dim, stride: 1 } : clampedRange(dim, from, to, step);
    });
    return sliceView(
      data,
      ranges.map((range) => range.begin),
      ranges.map((range) => range.size),
      ranges.map((range) => range.stride),
    );
  },
  kind: 'other',
  numerics: 'exact',
  gradient: (site) => {
    const [, ...bounds] = site.args.slice(0, BOUNDS.length + 1);
    const moved = (places: Expr) => site.op('dyn.strided_slice', [places, ...bounds], site.attrs);
    return [movedBack(site, moved)];
  },
  staticForm: { name: 'strided_slice', operands: { begin: 'ints', end: 'ints', strides: 'ints' } },
  examples: [
    {
      args: [
        f32(5, 7),
        ...[
          [1, 2],
          [4, -1],
          [1, 2],
        ].map((list) => tensor(list, [2], 'int64')),
      ],
      result: f32(3, 2),
    },
    {
      args: [f32(5, 7), ...[[9], [-9], [-1]].map((list) => tensor(list, [1], 'int64'))],
      attrs: { axes: [-1] },
      result: f32(5, 7),
    },
  ],
});

const BOUNDS = ['begin', 'end', 'strides'] as const;
