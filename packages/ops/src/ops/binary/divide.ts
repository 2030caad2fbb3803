import { defineOp } from '../../define-op.ts';
import { binary } from '../../families/binary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x, y } from '../../scalar/expr.ts';

export const divide = defineOp({
  name: 'divide',
  doc: 'The quotient; of integers truncated toward 0, and 0 for a divisor of 0.',
  signature: binary('any'),
  form: mapForm(math.div(x, y)),
  precision: 'follow',
  onnx: { opType: 'Div', versions: [1, 6, 7, 13, 14], broadcastsSince: 7 },
});
