import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const logicalAnd = defineOp({
  name: 'logical_and',
  doc: 'The logical and.',
  signature: binary('bool'),
  form: mapForm(math.and(math.notEqual(x, 0), math.notEqual(y, 0))),
  onnx: { opType: 'And', versions: [1, 7], broadcastsSince: 7 },
  // Its arguments are booleans already.
  numerics: 'exact',
});
