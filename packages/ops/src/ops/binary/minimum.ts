import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { extremeOfTwo } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const minimum = defineOp({
  name: 'minimum',
  doc: 'The smaller; NaN if either side is NaN.',
  signature: binary('any'),
  form: mapForm(math.min(x, y)),
  onIntegers: extremeOfTwo,
});
