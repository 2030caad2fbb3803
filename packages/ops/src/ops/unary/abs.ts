import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
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
  bounds: ([x = ZERO]) => {
    const least = x.lo <= 0 && x.hi >= 0 ? 0 : Math.min(Math.abs(x.lo), Math.abs(x.hi));
    return between(least, magnitude(x), x.fraction);
  },
  onnx: { opType: 'Abs', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.abs'),
});
