/** The operator `cosh`. */
import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const cosh = unaryFloat({
  name: 'cosh',
  doc: 'The hyperbolic cosine.',
  scalar: math.cosh(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-5, 5]],
  bounds: ([x = ZERO]) => between(1, Math.cosh(magnitude(x))),
  onnx: { opType: 'Cosh', versions: [9, 22] },
});
