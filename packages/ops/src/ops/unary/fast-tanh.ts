import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const fastTanh = defineOp({
  name: 'fast_tanh',
  doc: 'The hyperbolic tangent, with a larger error allowed.',
  signature: unary('float'),
  form: mapForm(math.tanh(x)),
  precision: 'follow',
});
