/** The operator `sinh`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const sinh = unaryFloat({
  name: 'sinh',
  doc: 'The hyperbolic sine.',
  scalar: math.sinh(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-5, 5]],
  bounds: rising(Math.sinh),
  onnx: { opType: 'Sinh', versions: [9, 22] },
});
