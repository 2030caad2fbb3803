import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, width, x, y } from '../../scalar/expr.ts';

export const leftShift = defineOp({
  name: 'left_shift',
  doc: 'Bits shifted up, by the right side modulo the width.',
  signature: binary('int'),
  form: mapForm(math.shiftLeft(x, math.and(y, math.sub(width, 1)))),
});
