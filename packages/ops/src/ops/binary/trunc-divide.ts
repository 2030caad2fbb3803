import { quotient } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const truncDivide = defineOp({
  name: 'trunc_divide',
  doc: 'The quotient rounded toward 0.',
  signature: binary('any'),
  form: mapForm(math.trunc(math.div(x, y))),
  bounds: quotient,
  sampled: 'floor_divide',
});
