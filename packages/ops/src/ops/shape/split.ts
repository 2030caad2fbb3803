import { addDims, anyDim, type Dim, divideDims, isAnyDim, tensorType, tupleType } from '@baton/ir';
import { either, int, list, naturalInt, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { knownSizes } from '../../form/views.ts';
import { sliced } from '../../moves.ts';
import { partsOnIntegers } from '../../on-integers/rules.ts';
import { dimAt, normalAxis, report, tensorArg } from '../../relation/known.ts';
import { keepsAxis } from '../../relayout/rules.ts';

/** The most parts: each has a type. */
const MOST_PARTS = 2 ** 20;

export const split = defineOp({
  name: 'split',
  doc: 'Equal parts along `axis`, or the parts between ascending cut points, as a tuple.',
  source: 'operators §4; NumPy split',
  attrs: attrs({
    indices_or_sections: either(positiveInt, list(naturalInt)),
    axis: withDefault(int, 0),
  }),
  relation: (args, attrs, context) => {
    const bad = (message: string) => report(context, badAttr('indices_or_sections', message));
    const data = tensorArg(args, 0, context);
    if (data === undefined) return undefined;
    const axis = normalAxis(attrs.axis, data.shape.length, context);
    if (axis === undefined) return undefined;
    const dim = dimAt(data, axis);
    const field = (along: Dim) =>
      tensorType(
        data.shape.map((d, i) => (i === axis ? along : d)),
        data.dtype,
      );
    const points = attrs.indices_or_sections;
    if (typeof points === 'number') {
      const part = divideDims(dim, points);
      if (part === undefined) return bad(`${points} does not divide the dimension`);
      if (points > MOST_PARTS) return bad(`expected at most ${MOST_PARTS} parts, found ${points}`);
      return tupleType(Array.from({ length: points }, () => field(part)));
    }
    if (points.some((point, i) => point <= (points[i - 1] ?? -1))) {
      return bad('cut points are strictly ascending');
    }
    const last = points[points.length - 1] ?? 0;
    if (typeof dim === 'number' && points.length > 0 && last >= dim) {
      return bad(`cut point ${last} is not below the dimension ${dim}`);
    }
    const rest: Dim = isAnyDim(dim) ? anyDim : addDims(dim, -last);
    return tupleType([...points.map((p, i) => field(p - (points[i - 1] ?? 0))), field(rest)]);
  },
  form: {
    _tag: 'View',
    views: ({ attrs, given: [shape = []], results }) => {
      const axis = attrs.axis < 0 ? attrs.axis + shape.length : attrs.axis;
      const parts = results.map(knownSizes);
      if (!parts.every((part) => part !== undefined)) return undefined;
      let start = 0;
      return parts.map((size) => {
        const begin = size.map((_, i) => (i === axis ? start : 0));
        start += size[axis] as number;
        return { of: 0, moves: [sliced(begin, size)] };
      });
    },
  },
  relayout: keepsAxis,
  gradient: ({ g, attrs: { axis }, op }) => [op('concatenate', [g], { axis })],
  onIntegers: partsOnIntegers,
  examples: [
    {
      args: [f32(6, 9)],
      attrs: { indices_or_sections: 3 },
      result: [f32(2, 9), f32(2, 9), f32(2, 9)],
    },
    {
      args: [f32(6, 9)],
      attrs: { indices_or_sections: [2, 5], axis: 1 },
      result: [f32(6, 2), f32(6, 3), f32(6, 4)],
    },
  ],
});
