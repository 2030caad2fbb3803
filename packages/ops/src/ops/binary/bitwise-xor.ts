import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const bitwiseXor = defineOp({
  name: 'bitwise_xor',
  doc: 'The bitwise exclusive or.',
  signature: binary('bits'),
  form: mapForm(math.xor(x, y)),
  onnx: { opType: 'BitwiseXor', versions: [18] },
});
