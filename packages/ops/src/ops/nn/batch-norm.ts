import { tensorType, tupleType } from '@baton/ir';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { timesInput } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { axesAfter } from '../../definition/axes.ts';
import { define } from '../../definition/column.ts';
import { f32, f32s } from '../../example-types.ts';
import { affineOf, normalizing } from '../../families/normalization.ts';
import { batchNorm as kernel } from '../../kernels/normalization.ts';
import { dimAt } from '../../relation/known.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const batchNorm = defineOp({
  name: 'nn.batch_norm',
  doc: 'Normalizes each channel by given statistics; the result is a tuple with those statistics.',
  signature: {
    source: 'operators §7; Ioffe and Szegedy, "Batch Normalization" (2015), at inference',
    ...normalizing(['gamma', 'beta', 'moving_mean', 'moving_var'], 1, (data, axis) => {
      const statistic = tensorType([dimAt(data, axis)], data.dtype);
      return tupleType([data.type, statistic, statistic]);
    }),
    examples: [
      {
        // A variance is not negative.
        args: [f32(2, 3, 5), f32(3), f32(3), f32(3), f32s(0.5, 1, 2)],
        result: [f32(2, 3, 5), f32(3), f32(3)],
      },
    ],
  },
  kernel: (args, attrs, out) => {
    const [mean, variance] = [args.tensor(3), args.tensor(4)];
    return [kernel(args.tensor(0), mean, variance, affineOf(args, attrs), out), mean, variance];
  },
  cost: timesInput(2),
  // The statistics are given: it computes element by element.
  fusion: 'out_elemwise_fusable',
  kind: 'normalization',
  precision: 'follow',
  domain: [undefined, undefined, undefined, undefined, [0.0625, 256]],
  bounds: ([x = ZERO, gamma = ZERO, beta = ZERO, mean = ZERO]) =>
    symmetric((magnitude(x) + magnitude(mean)) * magnitude(gamma) * 4 + magnitude(beta)),
  definition: ([true, false] as const).flatMap((center) =>
    ([true, false] as const).flatMap((scale) =>
      define(
        `%0 = ${scale ? '?gamma' : '1'} / sqrt(?moving_var + ?epsilon); %1 = (?data - ${along('?moving_mean')}) * ${along('%0')}${center ? ` + ${along('?beta')}` : ''}; (%1, ?moving_mean, ?moving_var)`,
        { where: { center, scale }, let: { after: axesAfter } },
      ),
    ),
  ),
  relayout: keepsAxis,
});

/** A vector along the channels, as text. */
function along<const V extends string>(vector: V) {
  return `expand_dims(${vector}, axis=1, num_newaxis=?after)` as const;
}
