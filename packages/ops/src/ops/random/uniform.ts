import { readNumber, shapeSize } from '@baton/tensor';
import { attrs } from '../../attrs/schema.ts';
import { hull, ZERO } from '../../bounds/bounds.ts';
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

export const uniform = defineOp({
  name: 'random.uniform',
  doc: 'The next generator, and uniformly distributed random numbers from `low` to `high`.',
  source: 'operators §8; Relay v0.14 random.uniform',
  inputs: ['key', 'low', 'high'],
  attrs: attrs(floatProps),
  relation: (args, { out_shape: shape, out_dtype: dtype }, context) =>
    randomFloats(args, ['low', 'high'], shape, dtype, context),
  kernel: (args, { out_shape: shape, out_dtype: dtype }, out) => {
    const [low, high] = [readNumber(args.tensor(1), 0), readNumber(args.tensor(2), 0)];
    const { next, numbers } = drawn(args.tensor(0), shapeSize(shape), dtype, out);
    const round = dtype === 'float32' ? Math.fround : Number;
    const range = round(high - low);
    const found = numberBuffer(dtype, numbers.length, out);
    numbers.forEach((x, i) => {
      found[i] = round(x * range) + low;
    });
    return [next, finish(found, shape, dtype, out)];
  },
  ...draws,
  numerics: 'smooth',
  bounds: ([, low = ZERO, high = ZERO]) => hull([low, high]),
  // A sample is low + (high − low) · x, with x from 0 to 1.
  gradient: ({ args: [key, low], attrs: given, g, op, item, scalar, minus, times, reshape }) => {
    const dtype = given.out_dtype;
    const ones = op('random.uniform', [key, scalar(0, dtype), scalar(1, dtype)], { ...given });
    const shares = item(ones, 1);
    const total = (of: ReturnType<typeof item>) =>
      op('collapse_sum_like', [reshape(of, [-1]), low]);
    const numbers = item(g, 1);
    return [
      undefined,
      total(times(numbers, minus(scalar(1, dtype), shares))),
      total(times(numbers, shares)),
    ];
  },
  examples: [
    {
      args: [someGenerator, f32n(-1), f32n(3)],
      attrs: { out_shape: [2, 3], out_dtype: 'float32' },
      result: [GENERATOR, f32(2, 3)],
    },
  ],
});
