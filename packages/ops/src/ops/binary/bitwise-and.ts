import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const bitwiseAnd = defineOp({
  name: 'bitwise_and',
  doc: 'The bitwise and.',
  signature: binary('bits'),
  form: mapForm(math.and(x, y)),
  onnx: { opType: 'BitwiseAnd', versions: [18] },
});
