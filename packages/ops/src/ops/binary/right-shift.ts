import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, width, x, y } from '../../scalar/expr.ts';

export const rightShift = defineOp({
  name: 'right_shift',
  doc: 'Bits shifted down, by the right side modulo the width.',
  signature: binary('int'),
  form: mapForm(math.shiftRight(x, math.and(y, math.sub(width, 1)))),
  sampled: 'left_shift',
});
