/** The operator `log2`. */
import { POSITIVE, rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const log2 = unaryFloat({
  name: 'log2',
  doc: 'The logarithm to base 2.',
  scalar: math.log2(x),
  flops: 1,
  numerics: 'smooth',
  domain: [POSITIVE],
  bounds: rising(Math.log2),
});
