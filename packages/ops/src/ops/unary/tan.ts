import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const tan = defineOp({
  name: 'tan',
  doc: 'The tangent.',
  signature: unary('float'),
  form: mapForm(math.tan(x)),
  domain: [[-1.25, 1.25]],
  onnx: { opType: 'Tan', versions: [7, 22] },
});
