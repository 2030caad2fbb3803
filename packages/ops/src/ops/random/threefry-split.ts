import { tupleType } from '@baton/ir';
import { dense } from '@baton/tensor';
import { within } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import {
  asGenerator,
  draws,
  GENERATOR,
  isGenerator,
  someGenerator,
} from '../../families/random.ts';
import { threefrySplit as kernel } from '../../kernels/threefry.ts';

export const threefrySplit = defineOp({
  name: 'random.threefry_split',
  doc: 'Two independent generators.',
  source:
    'operators §8; Claessen and Pałka, "Splittable pseudorandom number generators using cryptographic hashing" (2013); Relay v0.14 random.threefry_split',
  inputs: ['key'],
  relation: (args, _attrs, context) =>
    isGenerator(args, context) ? tupleType([GENERATOR, GENERATOR]) : undefined,
  kernel: (args, _attrs, out) => {
    // Storage of unsigned 64-bit integers.
    const halves = kernel(dense(args.tensor(0), out).data as BigUint64Array);
    return halves.map((half) => asGenerator(half, out));
  },
  ...draws,
  numerics: 'discontinuous',
  bounds: within(0, 2 ** 64, 0),
  examples: [{ args: [someGenerator], result: [GENERATOR, GENERATOR] }],
});
