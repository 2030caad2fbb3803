import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnExp = quantizedUnary({
  name: 'qnn.exp',
  doc: 'The exponential of quantized integers, requantized.',
  steps: [math.exp(x)],
  of: 'exp(%0)',
});
