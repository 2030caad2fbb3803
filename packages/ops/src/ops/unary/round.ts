import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { round as kernel } from '../../kernels/unary.ts';

/** `round`. */
export const round = unaryFloat({
  name: 'round',
  doc: 'Rounds to the nearest integer, halves away from 0.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
});
