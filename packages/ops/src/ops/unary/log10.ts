import { POSITIVE } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const log10 = defineOp({
  name: 'log10',
  doc: 'The logarithm to base 10.',
  signature: unary('float'),
  form: mapForm(math.log10(x)),
  domain: [POSITIVE],
});
