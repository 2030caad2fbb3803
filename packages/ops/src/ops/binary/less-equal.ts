import { defineOp } from '../../define-op.ts';
import { comparison } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const lessEqual = defineOp({
  name: 'less_equal',
  doc: 'True if the left side is less or equal.',
  signature: comparison,
  form: mapForm(math.lessEqual(x, y)),
  onnx: { opType: 'LessOrEqual', versions: [12, 16] },
});
