import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const abs = defineOp({
  name: 'abs',
  doc: 'The absolute value; the smallest integer wraps to itself.',
  signature: unary('number'),
  form: mapForm(math.abs(x)),
  onnx: { opType: 'Abs', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.abs'),
});
