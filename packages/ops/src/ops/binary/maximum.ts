import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { extremeOfTwo } from '../../on-integers/rules.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const maximum = defineOp({
  name: 'maximum',
  doc: 'The larger; NaN if either side is NaN.',
  signature: binary('any'),
  form: mapForm(math.max(x, y)),
  onIntegers: extremeOfTwo,
});
