import { between, ZERO } from '../../bounds/bounds.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const rsqrt = defineOp({
  name: 'rsqrt',
  doc: 'The reciprocal of the square root.',
  signature: unary('float'),
  form: mapForm(math.div(1, math.sqrt(x))),
  precision: 'follow',
  domain: [[0.125, 65536]],
  bounds: ([x = ZERO]) => between(0, 1 / Math.sqrt(Math.max(x.lo, 0.01))),
  onIntegers: functionOnIntegers('qnn.rsqrt'),
});
