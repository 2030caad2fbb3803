import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const negative = defineOp({
  name: 'negative',
  doc: 'The negation; integers wrap.',
  signature: unary('number'),
  form: mapForm(math.neg(x)),
  onnx: { opType: 'Neg', versions: [6, 13] },
});
