import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const atan = defineOp({
  name: 'atan',
  doc: 'The inverse tangent.',
  signature: unary('float'),
  form: mapForm(math.atan(x)),
  onnx: { opType: 'Atan', versions: [7, 22] },
});
