/** The operator `cos`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const cos = unaryFloat({
  name: 'cos',
  doc: 'The cosine.',
  scalar: math.cos(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-64, 64]],
  bounds: within(-1, 1),
  onnx: { opType: 'Cos', versions: [7, 22] },
});
