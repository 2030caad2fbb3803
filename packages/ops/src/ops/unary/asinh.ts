/** The operator `asinh`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const asinh = unaryFloat({
  name: 'asinh',
  doc: 'The inverse hyperbolic sine.',
  scalar: math.asinh(x),
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: rising(Math.asinh),
  onnx: { opType: 'Asinh', versions: [9, 22] },
});
