/** The operator `exp`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const exp = unaryFloat({
  name: 'exp',
  doc: 'The exponential function.',
  scalar: math.exp(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-32, 5]],
  bounds: rising(Math.exp),
  faster: 'fast_exp',
  onnx: { opType: 'Exp', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.exp'),
});
