import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const fastErf = defineOp({
  name: 'fast_erf',
  doc: 'The Gauss error function, with a larger error allowed.',
  signature: unary('float'),
  form: mapForm(math.erf(x)),
  precision: 'follow',
});
