import { defineOp } from '../../define-op.ts';
import { comparison } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const equal = defineOp({
  name: 'equal',
  doc: 'True if both are equal; NaN equals nothing.',
  signature: comparison,
  form: mapForm(math.equal(x, y)),
  onnx: { opType: 'Equal', versions: [1, 7, 11, 13, 19], broadcastsSince: 7 },
});
