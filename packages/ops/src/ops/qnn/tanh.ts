import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnTanh = quantizedUnary({
  name: 'qnn.tanh',
  doc: 'The hyperbolic tangent of quantized integers, requantized.',
  steps: [math.tanh(x)],
  of: 'tanh(%0)',
});
