import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const floorDivide = defineOp({
  name: 'floor_divide',
  doc: 'The quotient rounded toward negative infinity.',
  signature: binary('any'),
  form: mapForm(math.floorDiv(x, y)),
});
