import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const ceil = defineOp({
  name: 'ceil',
  doc: 'Rounds toward positive infinity.',
  signature: unary('float'),
  form: mapForm(math.ceil(x)),
  onnx: { opType: 'Ceil', versions: [6, 13] },
});
