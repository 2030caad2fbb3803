import { within } from '../../bounds/rules.ts';
import { timesResult } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const sigmoid = defineOp({
  name: 'sigmoid',
  doc: 'The logistic function: 1 / (1 + exp(-x)).',
  signature: unary('float'),
  form: mapForm(math.div(1, math.add(1, math.exp(math.neg(x))))),
  cost: timesResult(3),
  precision: 'follow',
  bounds: within(0, 1),
  // The derivative of the scalar expression would be ∞ / ∞ far below 0.
  gradient: ({ result: y, g, times, minus, number }) => [times(g, times(y, minus(number(1), y)))],
  onnx: { opType: 'Sigmoid', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.sigmoid'),
});
