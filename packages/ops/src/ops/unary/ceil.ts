/** The operator `ceil`. */
import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const ceil = unaryFloat({
  name: 'ceil',
  doc: 'Rounds toward positive infinity.',
  scalar: math.ceil(x),
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
  onnx: { opType: 'Ceil', versions: [6, 13] },
});
