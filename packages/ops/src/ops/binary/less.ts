import { defineOp } from '../../define-op.ts';
import { comparison } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const less = defineOp({
  name: 'less',
  doc: 'True if the left side is less.',
  signature: comparison,
  form: mapForm(math.less(x, y)),
  onnx: { opType: 'Less', versions: [1, 7, 9, 13], broadcastsSince: 7 },
});
