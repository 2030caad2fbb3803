/** The operator `log`. */
import { POSITIVE, rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const log = unaryFloat({
  name: 'log',
  doc: 'The natural logarithm: NaN below 0, −inf at 0.',
  scalar: math.log(x),
  flops: 1,
  numerics: 'smooth',
  domain: [POSITIVE],
  bounds: rising(Math.log),
  onnx: { opType: 'Log', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.log'),
});
