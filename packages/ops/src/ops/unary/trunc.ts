import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const trunc = defineOp({
  name: 'trunc',
  doc: 'Rounds toward 0.',
  signature: unary('float'),
  form: mapForm(math.trunc(x)),
});
