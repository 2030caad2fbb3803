import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { trunc as kernel } from '../../kernels/unary.ts';

/** `trunc`. */
export const trunc = unaryFloat({
  name: 'trunc',
  doc: 'Rounds toward 0.',
  kernel,
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
});
