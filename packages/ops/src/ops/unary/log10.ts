/** The operator `log10`. */
import { POSITIVE, rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const log10 = unaryFloat({
  name: 'log10',
  doc: 'The logarithm to base 10.',
  scalar: math.log10(x),
  flops: 1,
  numerics: 'smooth',
  domain: [POSITIVE],
  bounds: rising(Math.log10),
});
