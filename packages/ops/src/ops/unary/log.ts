import { POSITIVE } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const log = defineOp({
  name: 'log',
  doc: 'The natural logarithm: NaN below 0, −inf at 0.',
  signature: unary('float'),
  form: mapForm(math.log(x)),
  domain: [POSITIVE],
  onnx: { opType: 'Log', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.log'),
});
