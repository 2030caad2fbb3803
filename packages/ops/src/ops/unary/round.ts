import { whole as wholeBounds } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

const whole = math.trunc(x);

/** Not x + 0.5, which rounds 0.49999999999999994 up. */
const nearest = math.select(
  math.lessEqual(0.5, math.abs(math.sub(x, whole))),
  math.add(whole, math.select(math.less(0, x), 1, -1)),
  whole,
);

export const round = defineOp({
  name: 'round',
  doc: 'Rounds to the nearest integer, halves away from 0.',
  signature: unary('float'),
  form: mapForm(nearest),
  bounds: wholeBounds,
});
