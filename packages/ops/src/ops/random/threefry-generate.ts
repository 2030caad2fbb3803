import { tensorType, tupleType } from '@baton/ir';
import { shapeSize, tensor } from '@baton/tensor';
import { list, naturalInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { within } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import {
  asGenerator,
  draws,
  GENERATOR,
  isGenerator,
  someGenerator,
  wordsOf,
} from '../../families/random.ts';

export const threefryGenerate = defineOp({
  name: 'random.threefry_generate',
  doc: 'The next generator, and random 64-bit words.',
  source:
    'operators §8; Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); Relay v0.14 random.threefry_generate',
  inputs: ['key'],
  attrs: attrs({ out_shape: list(naturalInt) }),
  relation: (args, { out_shape: shape }, context) =>
    isGenerator(args, context) ? tupleType([GENERATOR, tensorType(shape, 'uint64')]) : undefined,
  kernel: (args, { out_shape: shape }, out) => {
    const { next, words } = wordsOf(args.tensor(0), shapeSize(shape), out);
    return [asGenerator(next, out), tensor(words, shape, 'uint64')];
  },
  ...draws,
  numerics: 'discontinuous',
  bounds: within(0, 2 ** 64, 0),
  examples: [
    {
      args: [someGenerator],
      attrs: { out_shape: [3, 2] },
      result: [GENERATOR, tensorType([3, 2], 'uint64')],
    },
    {
      args: [someGenerator],
      attrs: { out_shape: [] },
      result: [GENERATOR, tensorType([], 'uint64')],
    },
  ],
});
