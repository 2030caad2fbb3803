/** The operator `tanh`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const tanh = unaryFloat({
  name: 'tanh',
  doc: 'The hyperbolic tangent.',
  scalar: math.tanh(x),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  domain: 'any',
  bounds: within(-1, 1),
  faster: 'fast_tanh',
  onnx: { opType: 'Tanh', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.tanh'),
});
