import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const asin = defineOp({
  name: 'asin',
  doc: 'The inverse sine.',
  signature: unary('float'),
  form: mapForm(math.asin(x)),
  domain: [[-0.875, 0.875]],
  onnx: { opType: 'Asin', versions: [7, 22] },
});
