import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnErf = quantizedUnary({
  name: 'qnn.erf',
  doc: 'The error function of quantized integers, requantized.',
  steps: [math.erf(x)],
  of: 'erf(%0)',
});
