import { defineOp } from '../../define-op.ts';
import { unaryTest } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const isfinite = defineOp({
  name: 'isfinite',
  doc: 'True for elements that are neither NaN nor infinite.',
  signature: unaryTest,
  form: mapForm(math.less(math.abs(x), Number.POSITIVE_INFINITY)),
});
