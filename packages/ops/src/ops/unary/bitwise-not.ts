import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const bitwiseNot = defineOp({
  name: 'bitwise_not',
  doc: 'Inverts every bit.',
  signature: unary('int'),
  form: mapForm(math.not(x)),
  onnx: { opType: 'BitwiseNot', versions: [18] },
});
