/** The operator `negative`. */
import { between, ZERO } from '../../bounds/bounds.ts';
import { unaryNumeric } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const negative = unaryNumeric({
  name: 'negative',
  doc: 'The negation; integers wrap.',
  scalar: math.neg(x),
  flops: 1,
  numerics: 'exact',
  domain: 'any',
  bounds: ([x = ZERO]) => between(-x.hi, -x.lo, x.fraction),
  onnx: { opType: 'Neg', versions: [6, 13] },
});
