import { defineOp } from '../../define-op.ts';
import { unaryTest } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const isinf = defineOp({
  name: 'isinf',
  doc: 'True for elements that are infinite.',
  signature: unaryTest,
  form: mapForm(math.equal(math.abs(x), Number.POSITIVE_INFINITY)),
});
