import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const cos = defineOp({
  name: 'cos',
  doc: 'The cosine.',
  signature: unary('float'),
  form: mapForm(math.cos(x)),
  domain: [[-64, 64]],
  onnx: { opType: 'Cos', versions: [7, 22] },
});
