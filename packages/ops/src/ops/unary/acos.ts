import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const acos = defineOp({
  name: 'acos',
  doc: 'The inverse cosine.',
  signature: unary('float'),
  form: mapForm(math.acos(x)),
  domain: [[-0.875, 0.875]],
  onnx: { opType: 'Acos', versions: [7, 22] },
});
