import { describeShape } from '@baton/ir';
import { bool } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
import { timesInput } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { define } from '../../definition/column.ts';
import { shapeMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { reducing, spread } from '../../families/reduction.ts';
import { variance as kernel } from '../../kernels/reduce.ts';
import { broadcastShape } from '../../relation/basic.ts';
import { dimAgrees } from '../../relation/dims.ts';
import { report, sameDType, tensorArg } from '../../relation/known.ts';
import { reducedAxes, reduceProps, reduceType } from '../../relation/reduce.ts';
import { reduced } from '../../relayout/rules.ts';

export const variance = defineOp({
  name: 'variance',
  doc: 'The mean of squared differences from `mean`, which broadcasts against the data.',
  signature: {
    ...reducing('number'),
    inputs: ['data', 'mean'],
    attrs: attrs({ ...reduceProps, unbiased: withDefault(bool, false) }),
    relation: (args, attrs, context) => {
      const data = tensorArg(args, 0, context);
      const mean = tensorArg(args, 1, context);
      if (data === undefined || mean === undefined) return undefined;
      if (sameDType(data.dtype, mean.dtype, '`mean`', context) === undefined) return undefined;
      const joint = broadcastShape(data.shape, mean.shape, context);
      if (joint === undefined || '_tag' in joint) return undefined;
      const outgrown =
        joint.length !== data.shape.length ||
        joint.some((dim, i) => !dimAgrees(dim, data.shape[i] ?? 1));
      if (outgrown) {
        const expected = `within ${describeShape(data.shape)}`;
        return report(context, shapeMismatch('`mean`', expected, mean.shape, '`data`'));
      }
      return reduceType(args, attrs, context, 'float');
    },
    examples: [
      { args: [f32(4), f32()], result: f32() },
      {
        args: [f32(2, 3, 5), f32(2, 1, 5)],
        attrs: { axis: 1, keepdims: true, unbiased: true },
        result: f32(2, 1, 5),
      },
    ],
  },
  kernel: (args, attrs, out) => {
    const data = args.tensor(0);
    const options = { axes: reducedAxes(attrs, data.shape.length), isUnbiased: attrs.unbiased };
    return kernel(data, args.tensor(1), options, out.shape, out);
  },
  kind: 'reduction',
  numerics: 'smooth',
  // Like other reductions over axes.
  fusion: 'comm_reduce',
  relayout: reduced,
  cost: timesInput(3),
  bounds: ([x = ZERO, mean = ZERO]) => between(0, 2 * (magnitude(x) + magnitude(mean)) ** 2),
  definition: define(
    '%0 = ?data - ?mean; mean(%0 * %0, axis=?axis, keepdims=?keepdims, exclude=?exclude)',
    { where: { unbiased: false } },
  ),
  gradient: (site) => {
    const {
      args: [x, m],
      g,
      attrs: given,
      times,
      minus,
      over,
      number,
      sumLike,
      negative,
    } = site;
    const count = given.unbiased ? minus(site.ratio(0), number(1)) : site.ratio(0);
    const slope = over(times(times(number(2), minus(x, m)), spread(site, g)), count);
    return [slope, sumLike(negative(slope), m)];
  },
});
