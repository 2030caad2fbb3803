import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
import { defineOp } from '../../define-op.ts';
import { unary } from '../../families/unary.ts';
import { mapForm } from '../../form/form.ts';
import { math, x } from '../../scalar/expr.ts';

export const cosh = defineOp({
  name: 'cosh',
  doc: 'The hyperbolic cosine.',
  signature: unary('float'),
  form: mapForm(math.cosh(x)),
  domain: [[-5, 5]],
  bounds: ([x = ZERO]) => between(1, Math.cosh(magnitude(x))),
  onnx: { opType: 'Cosh', versions: [9, 22] },
});
