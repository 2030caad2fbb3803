/** The operator `atan`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const atan = unaryFloat({
  name: 'atan',
  doc: 'The inverse tangent.',
  scalar: math.atan(x),
  flops: 1,
  numerics: 'smooth',
  domain: 'any',
  bounds: rising(Math.atan),
  onnx: { opType: 'Atan', versions: [7, 22] },
});
