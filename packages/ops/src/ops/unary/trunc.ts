/** The operator `trunc`. */
import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const trunc = unaryFloat({
  name: 'trunc',
  doc: 'Rounds toward 0.',
  scalar: math.trunc(x),
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
});
