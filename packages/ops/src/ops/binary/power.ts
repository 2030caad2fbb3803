import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const power = defineOp({
  name: 'power',
  doc: 'The left side to the power of the right side.',
  signature: binary('any'),
  form: mapForm(math.pow(x, y)),
});
