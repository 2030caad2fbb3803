/** The operator `tan`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const tan = unaryFloat({
  name: 'tan',
  doc: 'The tangent.',
  scalar: math.tan(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-1.25, 1.25]],
  bounds: rising(Math.tan),
  onnx: { opType: 'Tan', versions: [7, 22] },
});
