/** The operator `asin`. */
import { rising } from '../../bounds/rules.ts';
import { unaryFloat } from '../../families/unary.ts';
import { math, x } from '../../scalar/expr.ts';

export const asin = unaryFloat({
  name: 'asin',
  doc: 'The inverse sine.',
  scalar: math.asin(x),
  flops: 1,
  numerics: 'smooth',
  domain: [[-0.875, 0.875]],
  bounds: rising(Math.asin),
  onnx: { opType: 'Asin', versions: [7, 22] },
});
