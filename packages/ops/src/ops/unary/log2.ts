import { POSITIVE, rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { log2 as kernel } from '../../kernels/unary.ts';

/** `log2`. */
export const log2 = unaryFloat({
  name: 'log2',
  doc: 'The logarithm to base 2.',
  kernel,
  flops: 1,
  numerics: 'smooth',
  domain: [POSITIVE],
  bounds: rising(Math.log2),
});
