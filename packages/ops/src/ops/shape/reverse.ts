import { either, int, list } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { knownSizes, looksAt } from '../../form/views.ts';
import { sliced } from '../../moves.ts';
import { normalAxes, ofTensor } from '../../relation/known.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const reverse = defineOp({
  name: 'reverse',
  doc: 'The elements in reverse order along `axis`.',
  source: 'operators §4; NumPy flip',
  attrs: attrs({ axis: either(int, list(int)) }),
  relation: ofTensor((data, { axis }, context) => {
    const axes = normalAxes(axisList(axis), data.shape.length, context);
    return axes === undefined ? undefined : data.type;
  }),
  form: {
    _tag: 'View',
    views: ({ attrs: { axis }, given: [shape] }) => {
      const sizes = knownSizes(shape);
      const axes = axisList(axis).map((a) => (a < 0 ? a + (sizes?.length ?? 0) : a));
      const begin = sizes?.map((dim, i) => (axes.includes(i) && dim > 0 ? dim - 1 : 0));
      const steps = sizes?.map((_, i) => (axes.includes(i) ? -1 : 1));
      return sizes && begin && looksAt(sliced(begin, sizes, steps));
    },
  },
  relayout: keepsAxis,
  gradient: ({ g, attrs, op }) => [op('reverse', [g], attrs)],
  examples: [{ args: [f32(2, 3)], attrs: { axis: -1 }, result: f32(2, 3) }],
});

const axisList = (axis: number | ReadonlyArray<number>): ReadonlyArray<number> =>
  typeof axis === 'number' ? [axis] : axis;
