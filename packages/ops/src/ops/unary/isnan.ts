import { defineOp } from '../../define-op.ts';
import { unaryTest } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const isnan = defineOp({
  name: 'isnan',
  doc: 'True for elements that are NaN.',
  signature: unaryTest,
  form: mapForm(math.notEqual(x, x)),
  onnx: { opType: 'IsNaN', versions: [9, 13, 20] },
});
