import { POSITIVE } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const log2 = defineOp({
  name: 'log2',
  doc: 'The logarithm to base 2.',
  signature: unary('float'),
  form: mapForm(math.log2(x)),
  domain: [POSITIVE],
});
