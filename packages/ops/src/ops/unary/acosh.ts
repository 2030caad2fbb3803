import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const acosh = defineOp({
  name: 'acosh',
  doc: 'The inverse hyperbolic cosine.',
  signature: unary('float'),
  form: mapForm(math.acosh(x)),
  domain: [[1.125, 1024]],
  onnx: { opType: 'Acosh', versions: [9, 22] },
});
