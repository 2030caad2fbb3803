/** The operator `floor`. */
import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const floor = unaryFloat({
  name: 'floor',
  doc: 'Rounds toward negative infinity.',
  scalar: math.floor(x),
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
  onnx: { opType: 'Floor', versions: [6, 13] },
});
