import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const logicalNot = defineOp({
  name: 'logical_not',
  doc: 'The negation of a bool.',
  signature: unary('bool'),
  form: mapForm(math.equal(x, 0)),
  onnx: { opType: 'Not', versions: [1] },
  // Its argument is a boolean already.
  numerics: 'exact',
});
