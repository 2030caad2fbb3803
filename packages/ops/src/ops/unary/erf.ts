import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const erf = defineOp({
  name: 'erf',
  doc: 'The Gauss error function.',
  signature: unary('float'),
  form: mapForm(math.erf(x)),
  faster: 'fast_erf',
  onnx: { opType: 'Erf', versions: [9, 13] },
  onIntegers: functionOnIntegers('qnn.erf'),
});
