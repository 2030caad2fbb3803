/** The operator `acos`. */
import { between, ZERO } from '../../bounds/bounds.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const acos = unaryFloat({
  name: 'acos',
  doc: 'The inverse cosine.',
  scalar: math.acos(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-0.875, 0.875]],
  bounds: ([x = ZERO]) => between(Math.acos(x.hi), Math.acos(x.lo)),
  onnx: { opType: 'Acos', versions: [7, 22] },
});
