import { remainder as remainderBounds } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

const rest = math.rem(x, y);

/** Uses the exact remainder: a − b⌊a/b⌋ loses it for large quotients. */
const remainder = math.select(
  math.and(math.notEqual(rest, 0), math.xor(math.less(rest, 0), math.less(y, 0))),
  math.add(rest, y),
  rest,
);

export const floorMod = defineOp({
  name: 'floor_mod',
  doc: 'The remainder with the sign of the right side.',
  signature: binary('any'),
  form: mapForm(remainder),
  bounds: remainderBounds,
  sampled: 'floor_divide',
});
