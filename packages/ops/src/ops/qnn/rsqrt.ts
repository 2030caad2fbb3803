import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnRsqrt = quantizedUnary({
  name: 'qnn.rsqrt',
  doc: 'The reciprocal square root of quantized integers, requantized.',
  steps: [math.div(1, math.sqrt(x))],
  of: 'rsqrt(%0)',
});
