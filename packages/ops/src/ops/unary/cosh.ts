import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const cosh = defineOp({
  name: 'cosh',
  doc: 'The hyperbolic cosine.',
  signature: unary('float'),
  form: mapForm(math.cosh(x)),
  domain: [[-5, 5]],
  onnx: { opType: 'Cosh', versions: [9, 22] },
});
