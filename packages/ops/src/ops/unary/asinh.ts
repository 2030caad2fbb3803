import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const asinh = defineOp({
  name: 'asinh',
  doc: 'The inverse hyperbolic sine.',
  signature: unary('float'),
  form: mapForm(math.asinh(x)),
  onnx: { opType: 'Asinh', versions: [9, 22] },
});
