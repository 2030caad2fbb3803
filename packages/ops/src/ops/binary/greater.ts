import { defineOp } from '../../define-op.ts';
import { comparison } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const greater = defineOp({
  name: 'greater',
  doc: 'True if the left side is greater.',
  signature: comparison,
  form: mapForm(math.less(y, x)),
  onnx: { opType: 'Greater', versions: [1, 7, 9, 13], broadcastsSince: 7 },
});
