import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnAbs = quantizedUnary({
  name: 'qnn.abs',
  doc: 'The absolute value of quantized integers, requantized.',
  steps: [math.abs(x)],
  of: 'abs(%0)',
});
