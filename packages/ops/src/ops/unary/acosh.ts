/** The operator `acosh`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const acosh = unaryFloat({
  name: 'acosh',
  doc: 'The inverse hyperbolic cosine.',
  scalar: math.acosh(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[1.125, 1024]],
  bounds: rising(Math.acosh),
  onnx: { opType: 'Acosh', versions: [9, 22] },
});
