import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnSqrt = quantizedUnary({
  name: 'qnn.sqrt',
  doc: 'The square root of quantized integers, requantized.',
  steps: [math.sqrt(x)],
  of: 'sqrt(%0)',
});
