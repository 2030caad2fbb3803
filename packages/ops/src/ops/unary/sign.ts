import { within } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const sign = defineOp({
  name: 'sign',
  doc: 'The sign as -1, 0 or 1; NaN is kept.',
  signature: unary('number'),
  form: mapForm(math.select(math.less(0, x), 1, math.select(math.less(x, 0), -1, x))),
  bounds: within(-1, 1, 0),
  onnx: { opType: 'Sign', versions: [9, 13] },
});
