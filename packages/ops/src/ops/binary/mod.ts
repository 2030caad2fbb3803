import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const mod = defineOp({
  name: 'mod',
  doc: 'The remainder with the sign of the left side, as in C.',
  signature: binary('any'),
  form: mapForm(math.rem(x, y)),
  sampled: 'floor_divide',
});
