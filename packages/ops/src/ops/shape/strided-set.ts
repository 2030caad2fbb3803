import type { RelationContext, Type } from '@baton/ir';
import { rowMajorStrides, shapeSize, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i32s, i64s } from '../../example-types.ts';
import { copyInto } from '../../kernels/copy.ts';
import { hasRank, hasShape, inDomain, report, sameDType, tensorArg } from '../../relation/known.ts';
import { type SliceRange, sliceRanges } from '../../relation/slice.ts';

export const stridedSet = defineOp({
  name: 'strided_set',
  doc: 'The data with the slice from `begin` to `end`, in steps of `strides`, replaced by `v`.',
  source: 'operators §4; Relay v0.14 strided_set',
  inputs: ['data', 'v', 'begin', 'end', 'strides'],
  relation: (args, _attrs, context) => {
    const data = tensorArg(args, 0, context);
    const value = tensorArg(args, 1, context);
    if (data === undefined || value === undefined) return undefined;
    if (sameDType(data.dtype, value.dtype, '`v`', context) === undefined) return undefined;
    if (!hasRank(value, '`v`', [data.shape.length], context)) return undefined;
    const bounds = [2, 3, 4].map((i) => boundsArg(args, i, context));
    if (bounds.includes(false)) return undefined;
    const [begin, end, strides] = [2, 3, 4].map((i) => context.constant(i));
    const shape = data.shape.filter((dim) => typeof dim === 'number');
    const isOpen = begin === undefined || end === undefined || strides === undefined;
    if (isOpen || shape.length < data.shape.length) return context.resolve(data.type);
    const ranges = setRanges(shape, begin, end, strides);
    if (ranges === undefined) {
      return report(context, badExtent('the slice', 'it begins past its end, or a step is 0'));
    }
    const expected = ranges.map((range) => range.size);
    if (!hasShape(value, '`v`', expected, context, 'the slice')) return undefined;
    return context.resolve(data.type);
  },
  kernel: (args, _attrs, out) => {
    const data = args.tensor(0);
    const steps = rowMajorStrides(data.shape);
    const all = out.take(data.dtype, shapeSize(data.shape));
    copyInto(data, all, 0, steps);
    const ranges = setRanges(data.shape, args.tensor(2), args.tensor(3), args.tensor(4)) ?? [];
    const offset = ranges.reduce((sum, range, i) => sum + range.begin * (steps[i] as number), 0);
    const strides = ranges.map((range, i) => range.stride * (steps[i] as number));
    const value = args.tensor(1);
    if (!value.shape.includes(0)) copyInto(value, all, offset, strides);
    return tensor(all, data.shape, data.dtype);
  },
  kind: 'movement',
  gradient: ({ args: [, value, begin, end, strides], g, op, zerosLike }) => [
    op('strided_set', [g, zerosLike(value), begin, end, strides]),
    op('dyn.strided_slice', [g, begin, end, strides]),
  ],
  examples: [
    {
      args: [f32(5, 4), f32(2, 4), i64s(1), i64s(4), i64s(2)],
      result: f32(5, 4),
    },
    {
      args: [f32(4), f32(4), i32s(3), i32s(-5), i32s(-1)],
      result: f32(4),
    },
  ],
});

/**
 * Whether the argument is a vector of integers; reports another type, and returns false while it is
 * open.
 */
function boundsArg(args: ReadonlyArray<Type>, index: number, context: RelationContext): boolean {
  const bound = tensorArg(args, index, context);
  if (bound === undefined) return false;
  return inDomain(bound.dtype, 'int', context) && hasRank(bound, 'a bound', [1], context);
}

function setRanges(
  shape: ReadonlyArray<number>,
  begin: Tensor,
  end: Tensor,
  strides: Tensor,
): ReadonlyArray<SliceRange> | undefined {
  const [from, to, by] = [begin, end, strides].map((t) => Array.from(toNumbers(t)));
  if (from === undefined || to === undefined || by === undefined || by.includes(0)) {
    return undefined;
  }
  const attrs = { begin: from, end: to, strides: by, slice_mode: 'end', axes: null } as const;
  return sliceRanges(attrs, shape);
}
