import { tensorType, tupleType } from '@baton/ir';
import { shapeSize } from '@baton/tensor';
import { positiveInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i32 } from '../../example-types.ts';
import { drawn, draws, GENERATOR, isGenerator, someGenerator } from '../../families/random.ts';
import { finish, loadNumbers } from '../../kernels/values.ts';
import { dimAt, hasRankFrom, inDomain, report, tensorArg } from '../../relation/known.ts';

export const multinomial = defineOp({
  name: 'random.multinomial',
  doc: 'The next generator, and random indices along the last axis, with probabilities proportional to the data; negative values count as 0.',
  source: 'operators §8; Relay v0.14 random.multinomial',
  inputs: ['key', 'probs'],
  attrs: attrs({ num_samples: positiveInt }),
  relation: (args, { num_samples: count }, context) => {
    const probabilities = tensorArg(args, 1, context);
    if (probabilities === undefined || !isGenerator(args, context)) return undefined;
    if (!hasRankFrom(probabilities, '`probs`', 1, context)) return undefined;
    if (!inDomain(probabilities.dtype, 'float', context)) return undefined;
    const rank = probabilities.shape.length;
    if (dimAt(probabilities, rank - 1) === 0) {
      return report(context, badExtent('the last axis of `probs`', 'there is nothing to choose'));
    }
    const shape = [...probabilities.shape.slice(0, -1), count];
    return tupleType([GENERATOR, tensorType(shape, 'int32')]);
  },
  kernel: (args, { num_samples: count }, out) => {
    const probabilities = args.tensor(1);
    const numbers = loadNumbers(probabilities, out);
    const width = probabilities.shape.at(-1) ?? 1;
    const outer = probabilities.shape.slice(0, -1);
    const rows = shapeSize(outer);
    const { next, numbers: chances } = drawn(args.tensor(0), rows * count, 'float32', out);
    const places = out.take('int32', rows * count);
    for (let row = 0; row < rows; row++) {
      const limits = cumulated(numbers.subarray(row * width, (row + 1) * width));
      for (let i = 0; i < count; i++) {
        const chance = chances[row * count + i] as number;
        places[row * count + i] = Math.max(
          limits.findIndex((limit) => limit > chance),
          0,
        );
      }
    }
    return [next, finish(places, [...outer, count], 'int32', out)];
  },
  ...draws,
  numerics: 'discontinuous',
  bounds: within(0, 64, 0),
  examples: [
    {
      args: [someGenerator, f32(2, 4)],
      attrs: { num_samples: 3 },
      result: [GENERATOR, i32(2, 3)],
    },
    { args: [someGenerator, f32(5)], attrs: { num_samples: 2 }, result: [GENERATOR, i32(2)] },
  ],
});

/** The cumulative sums of the shares, in single precision, as in Relay. */
function cumulated(numbers: ArrayLike<number>): ReadonlyArray<number> {
  const round = Math.fround;
  const weights = Array.from(numbers, (x) => Math.max(round(x), 0));
  const total = weights.reduce((sum, weight) => round(sum + weight), 0);
  let sum = 0;
  return weights.map((weight) => {
    sum = round(sum + round(weight / total));
    return sum;
  });
}
