/** The operator `sign`. */
import { within } from '../../bounds/rules.ts';
import { unaryNumeric } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const sign = unaryNumeric({
  name: 'sign',
  doc: 'The sign as -1, 0 or 1; NaN is kept.',
  scalar: math.select(math.less(0, x), 1, math.select(math.less(x, 0), -1, x)),
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: within(-1, 1, 0),
  onnx: { opType: 'Sign', versions: [9, 13] },
});
