import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const floor = defineOp({
  name: 'floor',
  doc: 'Rounds toward negative infinity.',
  signature: unary('float'),
  form: mapForm(math.floor(x)),
  onnx: { opType: 'Floor', versions: [6, 13] },
});
