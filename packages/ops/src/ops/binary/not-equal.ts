import { defineOp } from '../../define-op.ts';
import { comparison } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const notEqual = defineOp({
  name: 'not_equal',
  doc: 'True if both differ; NaN differs from everything.',
  signature: comparison,
  form: mapForm(math.notEqual(x, y)),
});
