import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const sinh = defineOp({
  name: 'sinh',
  doc: 'The hyperbolic sine.',
  signature: unary('float'),
  form: mapForm(math.sinh(x)),
  domain: [[-5, 5]],
  onnx: { opType: 'Sinh', versions: [9, 22] },
});
