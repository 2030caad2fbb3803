/** The operator `sqrt`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { math, x } from '../../scalar/expr.ts';

export const sqrt = unaryFloat({
  name: 'sqrt',
  doc: 'The square root.',
  scalar: math.sqrt(x),
  flops: 1,
  numerics: 'smooth',
  precision: 'follow',
  domain: [[0, 65536]],
  bounds: rising(Math.sqrt),
  onnx: { opType: 'Sqrt', versions: [6, 13] },
  onIntegers: functionOnIntegers('qnn.sqrt'),
});
