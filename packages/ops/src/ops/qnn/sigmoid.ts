import { quantizedUnary } from '../../families/quantized-unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const qnnSigmoid = quantizedUnary({
  name: 'qnn.sigmoid',
  doc: 'The logistic function of quantized integers, requantized.',
  steps: [math.div(1, math.add(1, math.exp(math.neg(x))))],
  of: 'sigmoid(%0)',
});
