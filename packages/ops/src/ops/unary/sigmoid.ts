/** The operator `sigmoid`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const sigmoid = unaryFloat({
  name: 'sigmoid',
  doc: 'The logistic function: 1 / (1 + exp(-x)).',
  scalar: math.div(1, math.add(1, math.exp(math.neg(x)))),
  flops: 3,
  numerics: 'smooth',
  precision: 'follow',
  domain: 'any',
  bounds: within(0, 1),
  // The derivative of the scalar expression would be ∞ / ∞ far below 0.
  gradient: ({ result: y, g, times, minus, number }) => [times(g, times(y, minus(number(1), y)))],
  onnx: { opType: 'Sigmoid', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.sigmoid'),
});
