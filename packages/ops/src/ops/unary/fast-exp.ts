import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const fastExp = defineOp({
  name: 'fast_exp',
  doc: 'The exponential function, with a larger error allowed.',
  signature: unary('float'),
  form: mapForm(math.exp(x)),
  precision: 'follow',
  domain: [[-32, 5]],
});
