import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const sqrt = defineOp({
  name: 'sqrt',
  doc: 'The square root.',
  signature: unary('float'),
  form: mapForm(math.sqrt(x)),
  precision: 'follow',
  domain: [[0, 65536]],
  onnx: { opType: 'Sqrt', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.sqrt'),
});
