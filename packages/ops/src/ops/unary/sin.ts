/** The operator `sin`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const sin = unaryFloat({
  name: 'sin',
  doc: 'The sine.',
  scalar: math.sin(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-64, 64]],
  bounds: within(-1, 1),
  onnx: { opType: 'Sin', versions: [7, 22] },
});
