/** The operator `rint`. */
import { whole } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const rint = unaryFloat({
  name: 'rint',
  doc: 'Rounds to the nearest integer, halves to the even one.',
  source: 'operators §1; NumPy rint',
  scalar: math.rint(x),
  flops: 1,
  numerics: 'discontinuous',
  domain: 'any',
  bounds: whole,
  onnx: { opType: 'Round', versions: [11, 22] },
});
