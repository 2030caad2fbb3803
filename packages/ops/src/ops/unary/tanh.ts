import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const tanh = defineOp({
  name: 'tanh',
  doc: 'The hyperbolic tangent.',
  signature: unary('float'),
  form: mapForm(math.tanh(x)),
  precision: 'follow',
  faster: 'fast_tanh',
  onnx: { opType: 'Tanh', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.tanh'),
});
