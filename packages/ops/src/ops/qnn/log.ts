import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnLog = quantizedUnary({
  name: 'qnn.log',
  doc: 'The natural logarithm of quantized integers, requantized.',
  steps: [math.log(x)],
  of: 'log(%0)',
});
