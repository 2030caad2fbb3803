/** The operator `erf`. */
import { within } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const erf = unaryFloat({
  name: 'erf',
  doc: 'The Gauss error function.',
  scalar: math.erf(x),
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: within(-1, 1),
  faster: 'fast_erf',
  onnx: { opType: 'Erf', versions: [9, 13] },
  onIntegers: functionOnIntegers('qnn.erf'),
});
