/** The operator `atanh`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const atanh = unaryFloat({
  name: 'atanh',
  doc: 'The inverse hyperbolic tangent.',
  scalar: math.atanh(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-0.875, 0.875]],
  bounds: rising(Math.atanh),
  onnx: { opType: 'Atanh', versions: [9, 22] },
});
