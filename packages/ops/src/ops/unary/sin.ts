import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const sin = defineOp({
  name: 'sin',
  doc: 'The sine.',
  signature: unary('float'),
  form: mapForm(math.sin(x)),
  domain: [[-64, 64]],
  onnx: { opType: 'Sin', versions: [7, 22] },
});
