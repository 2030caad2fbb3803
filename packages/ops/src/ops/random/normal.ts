import { readNumber, shapeSize } from '@baton/tensor';
import { attrs } from '../../attrs/schema.ts';
import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f32n } from '../../example-types.ts';
import {
  drawn,
  draws,
  floatProps,
  GENERATOR,
  randomFloats,
  someGenerator,
} from '../../families/random.ts';
import { finish, numberBuffer } from '../../kernels/values.ts';

export const normal = defineOp({
  name: 'random.normal',
  doc: 'The next generator, and random numbers from the normal distribution with this mean and standard deviation.',
  source:
    'operators §8; Box and Muller, "A note on the generation of random normal deviates" (1958); Relay v0.14 random.normal',
  inputs: ['key', 'mean', 'scale'],
  attrs: attrs(floatProps),
  relation: (args, { out_shape: shape, out_dtype: dtype }, context) =>
    randomFloats(args, ['mean', 'scale'], shape, dtype, context),
  kernel: (args, { out_shape: shape, out_dtype: dtype }, out) => {
    const [mean, scale] = [readNumber(args.tensor(1), 0), readNumber(args.tensor(2), 0)];
    const count = shapeSize(shape);
    const { next, numbers } = drawn(args.tensor(0), 2 * count, dtype, out);
    const found = numberBuffer(dtype, count, out);
    for (let i = 0; i < count; i++) {
      const radius = Math.sqrt(-2 * Math.log(1 - (numbers[i] as number)));
      found[i] = radius * Math.sin(2 * Math.PI * (numbers[count + i] as number)) * scale + mean;
    }
    return [next, finish(found, shape, dtype, out)];
  },
  ...draws,
  numerics: 'smooth',
  // The least number above 0 in 52 bits is 9 standard deviations from the mean.
  bounds: ([, mean = ZERO, scale = ZERO]) =>
    between(mean.lo - 9 * magnitude(scale), mean.hi + 9 * magnitude(scale)),
  // A sample is mean + scale · z, with z from the standard distribution.
  gradient: ({ args: [key, mean], attrs: given, g, op, item, scalar, times, reshape }) => {
    const dtype = given.out_dtype;
    const ones = op('random.normal', [key, scalar(0, dtype), scalar(1, dtype)], { ...given });
    const total = (of: ReturnType<typeof item>) =>
      op('collapse_sum_like', [reshape(of, [-1]), mean]);
    const numbers = item(g, 1);
    return [undefined, total(numbers), total(times(numbers, item(ones, 1)))];
  },
  sampled: 'random.uniform',
  examples: [
    {
      args: [someGenerator, f32n(2), f32n(0.5)],
      attrs: { out_shape: [5], out_dtype: 'float32' },
      result: [GENERATOR, f32(5)],
    },
  ],
});
