import { describeShape, dimsEqual, isAnyDim, tensorType } from '@baton/ir';
import { int, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, elementCountMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { reshapeForm } from '../../form/views.ts';
import { productOfDims } from '../../relation/dims.ts';
import { ofTwo, report } from '../../relation/known.ts';

export const reshapeLike = defineOp({
  name: 'reshape_like',
  doc: 'The elements of `data` in the shape of `shape_like`, or of ranges of axes of both.',
  source: 'operators §4',
  inputs: ['data', 'shape_like'],
  attrs: attrs({
    lhs_begin: withDefault(int, 0),
    lhs_end: withDefault(orNone(int), null),
    rhs_begin: withDefault(int, 0),
    rhs_end: withDefault(orNone(int), null),
  }),
  relation: ofTwo((data, like, attrs, context) => {
    const left = axisRange(attrs.lhs_begin, attrs.lhs_end, data.shape.length);
    const right = axisRange(attrs.rhs_begin, attrs.rhs_end, like.shape.length);
    if (left === undefined) return report(context, badAttr('lhs_begin', 'no range of axes'));
    if (right === undefined) return report(context, badAttr('rhs_begin', 'no range of axes'));
    const shape = [
      ...data.shape.slice(0, left.begin),
      ...like.shape.slice(right.begin, right.end),
      ...data.shape.slice(left.end),
    ];
    const [before, after] = [productOfDims(data.shape), productOfDims(shape)];
    if (isAnyDim(before) || isAnyDim(after) || dimsEqual(before, after)) {
      return tensorType(shape, data.dtype);
    }
    const [expected, found] = [describeShape(data.shape), describeShape(shape)];
    return report(context, elementCountMismatch(expected, found));
  }),
  form: reshapeForm(),
  gradient: ({ args: [x], g, reshapeLike }) => [reshapeLike(g, x)],
  examples: [
    { args: [f32(2, 6), f32(3, 4)], result: f32(3, 4) },
    {
      args: [f32(2, 6, 5), f32(7, 3, 2)],
      attrs: { lhs_begin: 1, lhs_end: 2, rhs_begin: -2 },
      result: f32(2, 3, 2, 5),
    },
  ],
});

const axisRange = (
  begin: number,
  end: number | null,
  rank: number,
): { readonly begin: number; readonly end: number } | undefined => {
  const from = begin < 0 ? begin + rank : begin;
  const to = end === null ? rank : end < 0 ? end + rank : end;
  return from >= 0 && from <= to && to <= rank ? { begin: from, end: to } : undefined;
};
