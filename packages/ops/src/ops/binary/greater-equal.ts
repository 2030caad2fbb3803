import { defineOp } from '../../define-op.ts';
import { comparison } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const greaterEqual = defineOp({
  name: 'greater_equal',
  doc: 'True if the left side is greater or equal.',
  signature: comparison,
  form: mapForm(math.lessEqual(y, x)),
  onnx: { opType: 'GreaterOrEqual', versions: [12, 16] },
});
