import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const exp = defineOp({
  name: 'exp',
  doc: 'The exponential function.',
  signature: unary('float'),
  form: mapForm(math.exp(x)),
  domain: [[-32, 5]],
  faster: 'fast_exp',
  onnx: { opType: 'Exp', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.exp'),
});
