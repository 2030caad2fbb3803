import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const atanh = defineOp({
  name: 'atanh',
  doc: 'The inverse hyperbolic tangent.',
  signature: unary('float'),
  form: mapForm(math.atanh(x)),
  domain: [[-0.875, 0.875]],
  onnx: { opType: 'Atanh', versions: [9, 22] },
});
