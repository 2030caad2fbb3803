import { remainder } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const truncMod = defineOp({
  name: 'trunc_mod',
  doc: 'The remainder with the sign of the left side, as in C.',
  signature: binary('any'),
  form: mapForm(math.rem(x, y)),
  bounds: remainder,
  sampled: 'floor_divide',
});
