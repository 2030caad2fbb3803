import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const logicalXor = defineOp({
  name: 'logical_xor',
  doc: 'The logical exclusive or.',
  signature: binary('bool'),
  form: mapForm(math.xor(math.notEqual(x, 0), math.notEqual(y, 0))),
  onnx: { opType: 'Xor', versions: [1, 7], broadcastsSince: 7 },
  // Its arguments are booleans already.
  numerics: 'exact',
});
