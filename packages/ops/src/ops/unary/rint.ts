import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const rint = defineOp({
  name: 'rint',
  doc: 'Rounds to the nearest integer, halves to the even one.',
  source: 'operators §1; NumPy rint',
  signature: unary('float'),
  form: mapForm(math.rint(x)),
  onnx: { opType: 'Round', versions: [11, 22] },
});
