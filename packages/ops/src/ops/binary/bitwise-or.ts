import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const bitwiseOr = defineOp({
  name: 'bitwise_or',
  doc: 'The bitwise or.',
  signature: binary('bits'),
  form: mapForm(math.or(x, y)),
  onnx: { opType: 'BitwiseOr', versions: [18] },
});
